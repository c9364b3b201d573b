"""Memory for answers, bounded by octets: what was not asked for the longest goes first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import Final

from registry.serving.addresses import Key, Sent
from registry.serving.answers import Answer

LARGEST: Final = 4
"""An answer may take up one part in four at most."""

Epoch = tuple[int, date]
"""One version of the registry, on one day."""


@dataclass(frozen=True, slots=True)
class Varying:
    """By which headers of a request the answers at an address vary; cookies stand in its key."""

    by: tuple[str, ...]
    size: int = 500

    def key(self, key: Key, sent: Sent) -> Key:
        """Return the key of the answer to a request with the headers `sent`."""
        return (*key, *(sent.get(f"HTTP_{name}", "") for name in self.by), "")

    def joined(self, answer: Answer) -> Varying:
        """Return by what they vary when `answer` is one of them."""
        names = {name.upper().replace("-", "_") for name in answer.varies_by}
        by = names - {"COOKIE", "ACCEPT_ENCODING"} | set(self.by)
        return Varying(tuple(sorted(by)))


class Shelf:
    """Answers of one epoch; those of another are gone once somebody asks in it."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = 0
        self.epoch: Epoch | None = None
        self.things: OrderedDict[Key, Answer | Varying] = OrderedDict()
        self.lock = Lock()

    def find(self, epoch: Epoch | None, key: Key, sent: Sent) -> Answer | None:
        """Return the answer that was kept in this epoch, in the latest where that is not known."""
        with self.lock:
            if epoch is not None:
                self.turn(epoch)
            varying = self.get(key)
            if not isinstance(varying, Varying):
                return None
            answer = self.get(varying.key(key, sent))
            return answer if isinstance(answer, Answer) else None

    def keep(self, epoch: Epoch, key: Key, sent: Sent, answer: Answer) -> None:
        """Keep an answer that was asked for in `epoch`, unless that is over by now."""
        with self.lock:
            if epoch != self.epoch or answer.size > self.room // LARGEST:
                return
            known = self.get(key)
            varying = known if isinstance(known, Varying) else Varying(())
            varying = varying.joined(answer)
            self.put(key, varying)
            self.put(varying.key(key, sent), answer)
            while self.taken > self.room:
                self.drop(next(iter(self.things)))

    def turn(self, epoch: Epoch) -> None:
        """Begin a new epoch, if this is one."""
        if epoch != self.epoch:
            self.epoch, self.taken = epoch, 0
            self.things.clear()

    def get(self, key: Key) -> Answer | Varying | None:
        """Return what is there, which will stay longer now."""
        thing = self.things.get(key)
        if thing is not None:
            self.things.move_to_end(key)
        return thing

    def put(self, key: Key, thing: Answer | Varying) -> None:
        """Put something there, in place of what is there."""
        self.drop(key)
        self.things[key] = thing
        self.taken += thing.size

    def drop(self, key: Key) -> None:
        """Keep something no longer."""
        dropped = self.things.pop(key, None)
        self.taken -= dropped.size if dropped else 0
