import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter

from bot import model as model_module
from bot.errors import BotError, usage
from bot.model import digest, inspect
from bot.records import Model
from bot.report.words import catalog


def write(path: Path, *, file_type: int = 15, layers: int = 2, tokens: int = 300) -> Path:
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(layers)
    writer.add_file_type(file_type)
    writer.add_license("mit")
    writer.add_token_list([f"tok{number}" for number in range(tokens)])
    writer.add_token_scores([0.5] * tokens)
    writer.add_array("test.nested", [[1, 2], [3, 4]])
    writer.add_tensor("weights", np.ones((64, 64), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def code_of(path: Path, cache: Path) -> str:
    with pytest.raises(BotError) as caught:
        inspect(path, cache)
    return caught.value.code


def test_header_and_hash_of_a_model(tmp_path: Path) -> None:
    path = write(tmp_path / "Tiny-Q4_K_M.gguf")
    assert inspect(path, tmp_path / "cache") == Model(
        name="Tiny-Q4_K_M.gguf",
        sha256=digest(path),
        size_mib=round(path.stat().st_size / 2**20, 1),
        architecture="llama",
        quantization="Q4_K_M",
        layers=2,
        license="mit",
    )


@pytest.mark.parametrize(("file_type", "name"), [(0, "F32"), (7, "Q8_0"), (999, "")])
def test_quantization_name_and_one_that_is_unknown(tmp_path: Path, file_type: int, name: str) -> None:
    path = write(tmp_path / "m.gguf", file_type=file_type)
    assert inspect(path, tmp_path / "cache").quantization == name


def test_tensor_type_newer_than_the_library_is_no_damage(tmp_path: Path) -> None:
    path = write(tmp_path / "m.gguf")
    data = bytearray(path.read_bytes())
    place = data.index(b"weights") + len(b"weights") + 4 + 2 * 8
    data[place : place + 4] = (250).to_bytes(4, "little")
    path.write_bytes(data)
    assert inspect(path, tmp_path / "cache").architecture == "llama"


def test_unchanged_file_is_not_hashed_again_and_a_changed_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = write(tmp_path / "m.gguf"), tmp_path / "cache"
    first = inspect(path, cache)
    told: list[tuple[float, float]] = []
    monkeypatch.setattr(model_module, "_CHUNK", 1 << 12)
    assert inspect(path, cache, progress=lambda *at: told.append(at)) == first
    assert told == []
    write(path, layers=3)
    second = inspect(path, cache, progress=lambda *at: told.append(at))
    assert (second.layers, second.sha256 == first.sha256) == (3, False)
    assert told[-1] == (path.stat().st_size, path.stat().st_size)
    assert len(told) > 1


def test_same_size_and_time_but_another_inode_is_read_again(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "m.gguf", layers=2), tmp_path / "cache"
    before = path.stat()
    inspect(path, cache)
    other = write(tmp_path / "other.gguf", layers=3)
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert other.stat().st_size == before.st_size
    other.replace(path)
    assert inspect(path, cache).layers == 3


def test_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "m.gguf"), tmp_path / "cache"
    first = inspect(path, cache)
    (entry,) = cache.iterdir()
    entry.write_text("{")
    assert inspect(path, cache) == first
    assert json.loads(entry.read_text())["model"]["sha256"] == first.sha256


def test_missing_file_and_folder(tmp_path: Path) -> None:
    assert code_of(tmp_path / "nothing.gguf", tmp_path / "cache") == "model-missing"
    assert code_of(tmp_path, tmp_path / "cache") == "model-missing"


@pytest.mark.parametrize("content", [b"", b"GG", b"<html>Not found</html>", b"\x80\x02}q\x00" * 99])
def test_other_files_are_no_gguf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    assert code_of(path, tmp_path / "cache") == "model-not-gguf"


@pytest.mark.parametrize("share", [0.0005, 0.01, 0.1, 0.3, 0.6, 0.99])
def test_file_cut_short_anywhere_is_damaged(tmp_path: Path, share: float) -> None:
    path = write(tmp_path / "m.gguf")
    whole = path.read_bytes()
    path.write_bytes(whole[: max(5, int(len(whole) * share))])
    assert why_damaged(path, tmp_path / "cache") == "cut"


def why_damaged(path: Path, cache: Path) -> str:
    with pytest.raises(BotError) as caught:
        inspect(path, cache)
    assert caught.value.code == "model-damaged"
    return str(caught.value.values["why"])


def with_bytes(path: Path, place: int, new: bytes) -> Path:
    data = bytearray(path.read_bytes())
    data[place : place + len(new)] = new
    path.write_bytes(data)
    return path


def test_what_is_wrong_with_a_header_is_told_by_a_code(tmp_path: Path) -> None:
    path, cache = tmp_path / "m.gguf", tmp_path / "cache"
    assert why_damaged(with_bytes(write(path), 4, b"\x63\0\0\0"), cache) == "version"
    data = write(path).read_bytes()
    kind = data.index(b"general.license") + len(b"general.license")
    assert why_damaged(with_bytes(path, kind, b"\x63\0\0\0"), cache) == "type"
    other = write(path).read_bytes().index(b"test.nested")
    assert other > 0
    twice = with_bytes(path, data.index(b"tokenizer.ggml.scores"), b"tokenizer.ggml.tokens")
    assert why_damaged(twice, cache) == "duplicate"


@pytest.mark.parametrize("why", ["cut", "version", "duplicate", "type", "alignment", "header"])
def test_each_damage_has_a_sentence_of_its_own_in_both_languages(why: str) -> None:
    said = {
        tag: catalog(tag).error(usage("model-damaged", path="m.gguf", why=why)) for tag in ("en", "zh-Hans")
    }
    others = catalog("zh-Hans").error(usage("model-damaged", path="m.gguf", why="header"))
    assert (said["zh-Hans"] == others) == (why == "header")
    assert not re.search("[a-z]{3,}", re.sub("m.gguf|GGUF", "", said["zh-Hans"]))


@pytest.mark.parametrize("place", [4, 8, 16, 24, 32])
def test_header_with_wild_numbers_is_damaged(tmp_path: Path, place: int) -> None:
    path = write(tmp_path / "m.gguf")
    data = bytearray(path.read_bytes())
    data[place : place + 8] = b"\xff" * 8
    path.write_bytes(data)
    assert code_of(path, tmp_path / "cache") == "model-damaged"


def test_split_model_is_one_model(tmp_path: Path) -> None:
    names = [f"big-{number:05}-of-00003.gguf" for number in (1, 2, 3)]
    files = [write(tmp_path / name, layers=number) for number, name in enumerate(names, 1)]
    found = inspect(files[0], tmp_path / "cache")
    assert (found.name, found.layers) == (names[0], 1)
    assert found.sha256 == digest(*files)
    assert found.size_mib == round(sum(file.stat().st_size for file in files) / 2**20, 1)


def test_split_model_names_what_is_missing(tmp_path: Path) -> None:
    first = write(tmp_path / "big-00001-of-00003.gguf")
    write(tmp_path / "big-00003-of-00003.gguf")
    with pytest.raises(BotError) as caught:
        inspect(first, tmp_path / "cache")
    assert caught.value.code == "model-shard-missing"
    assert caught.value.values["missing"] == "big-00002-of-00003.gguf"
    assert caught.value.values["count"] == 1


def test_split_model_starts_at_its_first_file(tmp_path: Path) -> None:
    path = write(tmp_path / "big-00002-of-00002.gguf")
    with pytest.raises(BotError) as caught:
        inspect(path, tmp_path / "cache")
    assert (caught.value.code, caught.value.values["first"]) == ("model-not-first", "big-00001-of-00002.gguf")


def test_damage_in_a_later_file_of_a_split_model_is_found(tmp_path: Path) -> None:
    first = write(tmp_path / "big-00001-of-00002.gguf")
    second = write(tmp_path / "big-00002-of-00002.gguf")
    second.write_bytes(second.read_bytes()[:-100])
    with pytest.raises(BotError) as caught:
        inspect(first, tmp_path / "cache")
    assert (caught.value.code, caught.value.values["path"]) == ("model-damaged", str(second))
