"""Regular expressions, as much of them as every dialect has in common.

Literal characters, ".", classes, the escapes \\d \\w \\s and their opposites (ASCII alone), \\t
\\n \\r \\f \\v \\0 \\xHH \\uHHHH \\UHHHHHHHH, groups of every sort, "|", quantifiers greedy or
lazy, the anchors ^ $ \\A \\Z \\z at either end, and (?i) for the whole or within (?i:…).
An expression always speaks of the name as a whole. What goes beyond this, such as looking around
or back, is understood and said not to be decided.
"""

from registry.grammar.regex.reading import expression

__all__ = ["expression"]
