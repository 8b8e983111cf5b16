"""llama-server's flags as words: which spellings are one flag, which a profile may not set. Pure."""

import shlex

#: One entry per flag: every spelling it has had. The first is the one used in messages.
ALIASES: dict[str, tuple[str, ...]] = {
    names[0]: names
    for names in (
        ("--host",),
        ("--port",),
        ("--model", "-m"),
        ("--parallel", "-np"),
        ("--cache-ram", "-cram"),
        ("--fit", "-fit"),
        ("--verbosity", "-lv", "--log-verbosity"),
        ("--verbose", "-v", "--log-verbose"),
        ("--gpu-layers", "-ngl", "--n-gpu-layers"),
        ("--ctx-size", "-c"),
        ("--batch-size", "-b"),
        ("--ubatch-size", "-ub"),
        ("--threads", "-t"),
        ("--threads-batch", "-tb"),
        ("--flash-attn", "-fa"),
        ("--cache-type-k", "-ctk"),
        ("--cache-type-v", "-ctv"),
        ("--ctx-checkpoints", "-ctxcp", "--swa-checkpoints"),
        ("--slot-prompt-similarity", "-sps"),
        ("--cache-prompt", "--no-cache-prompt"),
        ("--context-shift", "--no-context-shift"),
        ("--ui", "--no-ui", "--webui", "--no-webui"),
        ("--offline",),
        ("--mmap", "--no-mmap", "--load-mode", "-lm", "--mlock", "--direct-io", "-dio"),
        ("--spec-draft-n-max", "--draft-max", "--draft", "--draft-n"),
        ("--spec-draft-n-min", "--draft-min", "--draft-n-min"),
        ("--spec-draft-p-min", "--draft-p-min"),
        ("--n-cpu-moe", "-ncmoe"),
        ("--main-gpu", "-mg"),
        ("--split-mode", "-sm"),
        ("--tensor-split", "-ts"),
        ("--override-tensor", "-ot"),
        ("--kv-unified", "-kvu", "--no-kv-unified", "-no-kvu"),
    )
}

_CANONICAL = {spelling: name for name, spellings in ALIASES.items() for spelling in spellings}

#: What a profile may not set, in every spelling: the measuring protocol needs it as it is.
PROTOCOL_FLAGS: frozenset[str] = frozenset(
    spelling
    for name in (
        "--host",
        "--port",
        "--model",
        "--parallel",
        "--cache-ram",
        "--fit",
        "--verbosity",
        "--verbose",
    )
    for spelling in ALIASES[name]
)


def split_flags(text: str) -> tuple[str, ...]:
    """A command line's words, quoted as in a shell. Raises ValueError for an open quotation."""
    return tuple(shlex.split(text))


def canonical(spelling: str) -> str:
    """The flag that `spelling` is one name of; an unknown one stands for itself."""
    return _CANONICAL.get(spelling, spelling)


def is_flag(word: str) -> bool:
    """Whether a word is a flag's name rather than a value (`-1` is a value)."""
    return len(word) > 1 and word[0] == "-" and not word[1].isdigit() and word[1] != "."


def parse(flags: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(name as spelled, its values) in order; words before the first flag get the name ''."""
    parsed: list[tuple[str, list[str]]] = []
    for word in flags:
        if is_flag(word):
            parsed.append((word, []))
        elif parsed:
            parsed[-1][1].append(word)
        else:
            parsed.append(("", [word]))
    return tuple((name, tuple(values)) for name, values in parsed)


def flag_value(flags: tuple[str, ...], name: str) -> str | None:
    """The value a flag has in `flags`, by any of its spellings: '' for a bare switch, None if absent.

    The last one wins, as in llama-server itself.
    """
    wanted = canonical(name)
    found = [values for spelled, values in parse(flags) if canonical(spelled) == wanted]
    return None if not found else (found[-1][0] if found[-1] else "")


def replaced(flags: tuple[str, ...], by: tuple[str, ...]) -> tuple[str, ...]:
    """`flags` with those of `by` in the place of the same ones, in whatever spelling, and the rest added."""
    new = {canonical(name) for name, _ in parse(by)}
    kept = [(name, values) for name, values in parse(flags) if canonical(name) not in new]
    return (*(word for name, values in kept for word in ((name, *values) if name else values)), *by)
