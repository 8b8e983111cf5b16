"""The decision: pure functions from launches to outcomes (method: docs/measuring.md)."""
