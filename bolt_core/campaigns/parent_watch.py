"""End a process when the process that started it is gone, however that ended.

The parent keeps the writing end of a pipe and never writes to it. The operating system closes the
pipe with the parent, also after kill -9; the child reads its end of it in a thread, sees the end
of the file, and interrupts itself like Ctrl-C, so that finished runs are kept.
"""

import os
import sys
import threading
import time

from bolt_core.common import processes

VARIABLE = "BOLT_END_WITH_STDIN"  # set by the parent: standard input is such a pipe
STOP_SECONDS = 8.0  # from the interruption until the process and its workers are killed


def environment() -> dict[str, str]:
    """Return what the parent adds to the environment of the child."""
    return {VARIABLE: "1"}


def watch() -> None:
    """In a child, interrupt the main thread as soon as the parent is gone."""
    if os.environ.pop(VARIABLE, None):  # workers of this process do not inherit it
        threading.Thread(target=_wait_for_the_end, name="parent-watch", daemon=True).start()


def _wait_for_the_end() -> None:
    try:
        while os.read(sys.stdin.fileno(), 4096):
            pass
    except OSError:  # the pipe is broken
        pass
    processes.interrupt_main_thread()
    time.sleep(STOP_SECONDS)
    processes.kill_own_group()
