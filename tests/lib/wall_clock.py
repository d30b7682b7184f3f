"""A wall clock of another process's own, which a test sets while the process runs: through libfaketime, which reads the
clock's behaviour from a file. clock/wall_clock.h is the same in C. Standard library only.
"""
import functools
import glob
import os
import subprocess

from stepped_clock import before_sanitizer


@functools.cache
def library():
    """What LD_PRELOAD must be, "" without libfaketime. Files that a killed process has left disturb the program
    faketime if it is given the same id: it is tried again."""
    for _ in range(5):
        try:
            found = subprocess.run(["faketime", "-m", "-f", "+0", "sh", "-c", "echo $LD_PRELOAD"], text=True,
                                   capture_output=True, check=False).stdout.strip()
        except FileNotFoundError:
            return ""
        if found:
            return found
    return ""


class WallClock:
    def __init__(self, path):
        self.path = path
        self.set("+0")

    def set(self, words):
        """"+3600s": an hour ahead. A reader gets either the old words or the new ones."""
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(words + "\n")
        os.rename(self.path + ".new", self.path)

    def environment(self, program, is_whole=False):
        """What the program needs. is_whole: its monotonic clock is changed as well."""
        return {"LD_PRELOAD": before_sanitizer(program, library()), "FAKETIME_TIMESTAMP_FILE": self.path,
                "FAKETIME_NO_CACHE": "1", **({} if is_whole else {"FAKETIME_DONT_FAKE_MONOTONIC": "1"})}

    @staticmethod
    def forget(pid):
        """Removes files that libfaketime leaves of a killed process: they disturb a later process with the same id."""
        for path in glob.glob(f"/dev/shm/*faketime_???_{pid}"):
            os.unlink(path)
