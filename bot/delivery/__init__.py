"""From GitHub and back: watching tags, answering commands, posting reports, at home and in Actions."""
