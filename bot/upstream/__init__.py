"""llama.cpp's repository: tags, mirror, what lies between two tags."""
