"""What changed between two tags: pure functions over commits and paths."""
