"""Webhooks: programs that are told of the public acts which feeds tell of.

`tell(event)` is called by `registry.workflow.recording.record`, in the transaction of the act: it
writes one delivery for each hook that the act is for, and one task for each delivery. So an act
that is rolled back is told to nobody, and one that stands is told whatever crashes.

A delivery is posted until a receiver answers with 2xx, after rests that grow, for a day and a
half; it may come twice, always under the same `webhook-id`, and not always in the order of the
acts. It is signed as Standard Webhooks has it (https://www.standardwebhooks.com). A hook that was
silent for all of a delivery's attempts is stopped, and its owner told by letter.

`sweep()` is for the clock, and may be called at any moment.
"""

from registry.hooks.acts import (
    MOST,
    add,
    hooks_of,
    redeliver,
    remove,
    rotate,
    start,
    stop,
    trials_under_way,
    try_out,
)
from registry.hooks.sending import deliver, sweep
from registry.hooks.telling import tell

__all__ = [
    "MOST",
    "add",
    "deliver",
    "hooks_of",
    "redeliver",
    "remove",
    "rotate",
    "start",
    "stop",
    "sweep",
    "tell",
    "trials_under_way",
    "try_out",
]
