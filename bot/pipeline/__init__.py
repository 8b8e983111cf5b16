"""One run from tags to report: the order of its steps, its folder, its identity."""
