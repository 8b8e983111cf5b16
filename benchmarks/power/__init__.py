"""The decision rule and its peers on the same simulated measurements (docs/measuring.md)."""
