"""What a run needs, checked one by one, with the remedy beside each thing that is missing."""
