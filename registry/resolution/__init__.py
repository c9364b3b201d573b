"""From a URN to where what it names can be had."""
