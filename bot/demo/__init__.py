"""The demo's sources: source distributions laid into a git repository, the model from its packages."""
