"""Binaries that are not compiled here: upstream's release archives, and a folder of the user's own."""
