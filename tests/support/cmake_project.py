"""A tree that builds like llama.cpp, in a second: CMake, both targets, a shared library.

The server knows `--version` and answers every HTTP request with 200, which is all that a smoke start asks.
"""

from collections.abc import Mapping
from pathlib import Path

_CMAKE = """\
cmake_minimum_required(VERSION 3.14)
project(mini C)
option(GGML_NATIVE "optimize for this machine" ON)
option(LLAMA_BUILD_TESTS "build tests" ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
@IDENTITY@
include(extra.cmake)
add_library(mini SHARED @PARTS@)
add_executable(@SERVER@ server.c)
add_executable(llama-bench server.c)
foreach(name @SERVER@ llama-bench)
    target_link_libraries(${name} mini)
    target_compile_definitions(${name} PRIVATE
        NUMBER="${LLAMA_BUILD_NUMBER}" COMMIT="${LLAMA_BUILD_COMMIT}" $<$<BOOL:${GGML_NATIVE}>:NATIVE>)
endforeach()
"""

_FROM_OPTIONS = """\
if (NOT DEFINED LLAMA_BUILD_NUMBER)
    set(LLAMA_BUILD_NUMBER 0)
endif()
if (NOT DEFINED LLAMA_BUILD_COMMIT)
    set(LLAMA_BUILD_COMMIT unknown)
endif()
"""

#: As trees before b5655 do.
_FROM_GIT = """\
find_package(Git)
execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short HEAD
    OUTPUT_VARIABLE LLAMA_BUILD_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${GIT_EXECUTABLE} rev-list --count HEAD
    OUTPUT_VARIABLE LLAMA_BUILD_NUMBER OUTPUT_STRIP_TRAILING_WHITESPACE)
"""

_SERVER = """\
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int part0(void);

static int serve(int port) {
    static const char answer[] = "HTTP/1.0 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}";
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
    int door = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(door, (struct sockaddr *) &where, sizeof where) || listen(door, 8)) {
        return 1;
    }
    for (;;) {
        char request[4096] = {0};
        int guest = accept(door, 0, 0);
        if (read(guest, request, sizeof request - 1) > 0 && !strncmp(request, "POST", 4)) {
            ON_POST;
        }
        if (write(guest, answer, sizeof answer - 1) < 0) {
            return 1;
        }
        close(guest);
    }
}

int main(int argc, char ** argv) {
    int port = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--version")) {
            fprintf(stderr, "version: %s (%s)\\nbuilt with a compiler for Linux\\n", NUMBER, COMMIT);
            return part0() - part0();
        }
        if (!strcmp(argv[i], "--port")) {
            port = atoi(argv[i + 1]);
        }
    }
    return serve(port);
}
"""

#: For `on_post`: what AMX does on machines that advertise it and refuse it.
SIGILL_WHEN_NATIVE = "\n#ifdef NATIVE\nraise(SIGILL);\n#endif\n"


def lay(
    folder: Path,
    *,
    parts: int = 2,
    on_post: str = "",
    extra_cmake: str = "",
    files: Mapping[str, str] | None = None,
    server: str = "llama-server",
    asks_git: bool = False,
) -> None:
    """Write the tree into `folder` (made).

    `parts`: units of the library; `files` are added or replaced; `server`: the name of its target;
    `asks_git`: its commit comes from git, not from an option.
    """
    folder.mkdir(parents=True)
    units = {f"part{index}.c": f"int part{index}(void) {{ return {index}; }}\n" for index in range(parts)}
    tree = {
        "CMakeLists.txt": _CMAKE.replace("@PARTS@", " ".join(units))
        .replace("@SERVER@", server)
        .replace("@IDENTITY@", _FROM_GIT if asks_git else _FROM_OPTIONS),
        "extra.cmake": extra_cmake,
        "server.c": _SERVER.replace("ON_POST;", on_post),
        **units,
        **(files or {}),
    }
    for name, text in tree.items():
        (folder / name).write_text(text, "utf-8")
