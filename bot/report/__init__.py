"""From a run's record to words: verdict, story, templates, Markdown."""
