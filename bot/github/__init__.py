"""GitHub: who we are there, what we read, and what we post once."""
