"""Building llama.cpp: toolchain, options, cmake, and why a build failed."""
