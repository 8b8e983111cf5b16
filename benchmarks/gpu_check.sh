#!/bin/sh
# The whole pipeline on a real NVIDIA GPU: one command, no network, at most 9 minutes on 16 cores.
#
#   benchmarks/gpu_check.sh --pack DIR --source TARBALL          on a machine with network: what to hand over
#   benchmarks/gpu_check.sh --source TARBALL --wheels DIR        on the machine with the GPU
#
# --source TREE|TARBALL   llama.cpp's source; with --other TREE|TARBALL base against head, else A/A
# --wheels DIR            wheels of `--pack`; or --venv DIR, an environment that has them
# --model GGUF            a real model; else one of a few MiB is made, or taken from the --pack folder
# --out DIR, --json, --limit SECONDS (default 520)
# --plumbing              on the CPU: tests this script, and says nothing of any GPU
#
# Needs python3 (3.11 or later), git, a C++ compiler and nvcc. Exits 1 when a check is missed.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
wheels="" venv="" packing="" limit=520
previous=""
for word in "$@"; do
    case "$previous" in
        --wheels) wheels=$(cd "$word" && pwd) ;;
        --venv) venv=$(cd "$word" && pwd) ;;
        --limit) limit=$word ;;
    esac
    [ "$word" = --pack ] && packing=1
    previous=$word
done

python=${PYTHON:-python3}
GPU_CHECK_BEGAN=$(date +%s)
export GPU_CHECK_BEGAN
# The sampler runs isolated from PYTHONPATH: packages must be the interpreter's own, so that one is made here.
if [ -z "$packing" ] && [ -n "$venv$wheels" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$python" -m venv --without-pip "$work/venv"
    python=$work/venv/bin/python
    export PATH="$work/venv/bin:${venv:+$venv/bin:}$PATH"
    if [ -n "$wheels" ]; then
        # pip runs out of its own wheel, so that a python3 without pip or ensurepip will do
        for pip in "$wheels"/pip-*.whl; do :; done
        "$python" "$pip/pip" install --quiet --no-index --no-deps --disable-pip-version-check \
            --find-links "$wheels" --requirement "$wheels/requirements.txt"
    else
        # a copied environment names an interpreter that may not be here: only its packages are used
        "$python" -c 'import site, sys; open(site.getsitepackages()[0] + "/handed.pth", "w").write(sys.argv[1])' \
            "$(echo "$venv"/lib/python3*/site-packages)"
    fi
fi
if [ -z "$packing" ] && ! "$python" -c 'import pydantic, pynvml, rich' 2>/dev/null; then
    echo "$python lacks this program's packages: give --wheels DIR (made by --pack) or --venv DIR" >&2
    exit 2
fi
module=benchmarks.gpu_check
[ -n "$packing" ] && module=benchmarks.gpu_check.pack
export PYTHONPATH="$here"
# what is still not done then is interrupted in order, and killed if that does not help
timeout --signal=INT --kill-after=10 "$((limit + 10))" "$python" -m "$module" "$@"
