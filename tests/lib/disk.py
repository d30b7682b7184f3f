"""A disk of a test's own, which the test can fill: an ext4 in a sparse file. Only for root, where the system lets root
mount a file (is_there()). Standard library only.
"""
import errno
import functools
import os
import shutil
import subprocess
import tempfile
import time

SYSTEM = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def run(*words):
    return subprocess.run([shutil.which(words[0], path=SYSTEM) or words[0], *words[1:]], check=True,
                          stdin=subprocess.DEVNULL, capture_output=True)


@functools.cache
def is_there():
    """Whether the system lets us make such a disk. Tried only once."""
    directory = tempfile.mkdtemp(prefix="janggi-disk-")
    try:
        Disk(os.path.join(directory, "d"), 8).end()
        return True
    except (OSError, subprocess.CalledProcessError):
        return False
    finally:
        shutil.rmtree(directory, ignore_errors=True)


class Disk:
    """A disk. Blocks that were never written take no space on the disk below."""

    def __init__(self, path, megabytes):
        self.path, self.image = path, path + ".image"
        os.mkdir(path)
        with open(self.image, "wb") as file:
            file.truncate(megabytes << 20)
        run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", self.image)
        run("mount", "-o", "loop", self.image, path)

    def fill(self):
        """Fills the disk until less than 4 KiB are free."""
        with open(os.path.join(self.path, "full"), "ab") as file:
            size = 1 << 30
            while size >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def empty(self):
        try:
            os.unlink(os.path.join(self.path, "full"))
        except FileNotFoundError:
            pass

    def end(self):
        """Unmounts and removes the disk. The program that used it has just been killed, so the first tries may
        fail."""
        for _ in range(50):
            try:
                run("umount", self.path)
                break
            except subprocess.CalledProcessError:
                time.sleep(0.1)
        else:
            run("umount", "-l", self.path)
        os.unlink(self.image)
