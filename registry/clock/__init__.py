"""What the registry does by itself when a time is up: nudges, reminders, escalations, expiry.

`tick()` may be called at any moment, any number of times and several times at once: each thing
is done once, in a transaction of its own, so that a tick that was cut short goes on at the next.
"""

from registry.clock.tick import Tally, tick

__all__ = ["Tally", "tick"]
