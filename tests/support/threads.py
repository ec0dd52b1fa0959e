"""Whether a thread sleeps."""

import threading
import time


def sleeps(thread):
    """Return whether a tenth of a second passes in which a thread uses no CPU time.

    There are several tries: on a busy machine the thread may still have work to end. A thread that
    polls is never found asleep.
    """
    clock = time.pthread_getcpuclockid(thread.ident)
    for _ in range(20):
        before = time.clock_gettime(clock)
        threading.Event().wait(0.1)
        if time.clock_gettime(clock) == before:
            return True
    return False
