"""Measuring: the conditions, one launch, the rounds."""
