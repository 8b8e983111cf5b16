"""The whole pipeline on a real GPU, checked against what the driver says: `benchmarks/gpu_check.sh`."""
