#!/usr/bin/env python3
"""A clock for another process that stands still until it is stepped: see stepped_clock.h.

    stepped_clock.py FILE stop        makes the clock, at the time that it is
    stepped_clock.py FILE step MS
    stepped_clock.py FILE preload BUILD_DIR PROGRAM   prints what LD_PRELOAD must be
"""
import mmap
import os
import pathlib
import re
import struct
import subprocess
import sys
import time


class SteppedClock:
    """The clock, as the test steps it."""

    def __init__(self, path):
        self.path = str(path)
        if not os.path.exists(self.path):
            pathlib.Path(self.path).write_bytes(
                struct.pack("=3q", time.time_ns(), time.monotonic_ns(), 0))
        with open(self.path, "r+b") as file:
            self.numbers = memoryview(mmap.mmap(file.fileno(), 0)).cast("q")

    def step_ms(self, milliseconds):
        self.numbers[2] += milliseconds * 1000000

    def environment(self, build, program="janggid"):
        """Returns the environment that a program of the build needs."""
        return {"JANGGI_CLOCK": self.path, "LD_PRELOAD": preload(build, program)}


def preload(build, program):
    library = pathlib.Path(build).resolve() / "tests" / "clock" / "stepped_clock.so"
    if not library.exists():
        raise FileNotFoundError(f"{library} has not been built")
    return before_sanitizer(pathlib.Path(build) / program, library)


def before_sanitizer(program, library):
    """Returns LD_PRELOAD for the library and the program's sanitizer, whose library must
    come before all others."""
    shown = subprocess.run(["ldd", program], capture_output=True, text=True)
    return ":".join([*re.findall(r"=> (\S*lib[at]san\S*)", shown.stdout), str(library)])


def main():
    path, what, *rest = sys.argv[1:]
    if what == "stop":
        SteppedClock(path)
    elif what == "step":
        SteppedClock(path).step_ms(int(rest[0]))
    elif what == "preload":
        print(preload(*rest))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
