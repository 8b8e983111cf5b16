"""What is measured about the program itself, with its rivals in the same run."""
