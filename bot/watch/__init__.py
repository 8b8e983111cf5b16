"""What is due, what was done, what is told: the rules of watching, pure."""
