"""Random choices that can be repeated and reduced."""
import random
import time


class Draws:
    """Random choices from a seed, or given choices; after those, always the first alternative, which is the simplest."""

    def __init__(self, seed=None, given=None):
        self.rng = random.Random(seed) if given is None else None
        self.given = given
        self.made = []

    def below(self, count):
        at = len(self.made)
        value = self.rng.randrange(count) if self.given is None else min(self.given[at], count - 1) if at < len(self.given) else 0
        self.made.append(value)
        return value

    def one(self, *choices):
        """Returns one of the choices; if it is a function, its result."""
        choice = choices[self.below(len(choices))]
        return choice() if callable(choice) else choice

    def often(self, percent):
        return self.below(100) >= 100 - percent


def shrink(made, fails, tries=200, seconds=20):
    """Returns fewer and smaller choices for which fails(choices) is still true."""
    best = list(made)
    until = time.time() + seconds
    while best and best[-1] == 0:
        best.pop()
    size = max(1, len(best) // 2)
    while size and tries > 0 and time.time() < until:
        at, better = 0, False
        while at < len(best) and tries > 0 and time.time() < until:
            for shorter in (best[:at] + best[at + size:], best[:at] + [0] * len(best[at:at + size]) + best[at + size:]):
                if shorter != best:
                    tries -= 1
                    if fails(shorter):
                        best, better = shorter, True
                        break
            else:
                at += size
        if not better or size > 1:
            size //= 2
    return best
