"""GPU and host memory: NVML by UUID, the sampler, the machine's fingerprint."""
