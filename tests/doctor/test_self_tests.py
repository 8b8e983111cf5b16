"""What the doctor knows of this machine's self-tests."""

from pathlib import Path

from bot.doctor import self_tests
from bot.gpu.machine import fingerprint
from bot.model import inspect
from bot.pipeline import calibrations
from bot.records import Calibration
from bot.store import save
from tests.doctor.samples import Examined
from tests.support.self_tests import calibration


def remembered(make: Examined, known: Calibration) -> list[str]:
    """What is said once a run has hashed the model and left `known`."""
    settings = make().settings
    model = inspect(make().profile.model, settings.cache / "models")
    key = calibrations.key(fingerprint(None), model.sha256, make().profile.flags)
    save(Path(settings.cache) / "calibrations" / f"{key}.json", known)
    return [item.message.removeprefix("doctor-self-test-") for item in self_tests.self_tests(make())]


def test_before_the_first_run_nothing_is_known_and_a_cpu_makes_no_self_test_unasked(
    examined: Examined,
) -> None:
    (found,) = self_tests.self_tests(examined())
    assert found.message == "doctor-self-test-none"
    (found,) = self_tests.self_tests(examined(machine={"backend": "cpu", "self_test": "always"}))
    assert found.message == "doctor-self-test-due"


def test_the_record_of_false_alarms_is_told(examined: Examined) -> None:
    assert remembered(examined, calibration("alarm", "quiet", "quiet")) == ["ok"]
    (found,) = self_tests.self_tests(examined())
    assert dict(found.args) == {"tests": 3, "alarms": 1, "quiet": 2, "date": "2026-06-14"}


def test_a_failed_self_test_is_a_warning(examined: Examined) -> None:
    assert remembered(examined, calibration("quiet", "open")) == ["open"]
    (found,) = self_tests.self_tests(examined())
    assert found.status == "warning"


def test_other_flags_have_a_record_of_their_own(examined: Examined) -> None:
    assert remembered(examined, calibration("quiet")) == ["ok"]
    model = str(examined().profile.model)
    other = examined(profiles={"tiny": {"model": model, "flags": "-c 4096"}})
    (found,) = self_tests.self_tests(other)
    assert found.message == "doctor-self-test-none"
