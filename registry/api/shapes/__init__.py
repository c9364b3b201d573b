"""What answers look like: descriptions for programs, of what `registry.pages.told` tells."""
