"""End a process when the process that started it is gone, however that ended.

The parent keeps the writing end of a pipe and never writes to it. The operating system closes the
pipe with the parent, also after kill -9; the child reads its end of it in a thread, sees the end
of the file, and interrupts itself like Ctrl-C, so that finished runs are kept.
"""

import _thread
import os
import signal
import sys
import threading
import time

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
    if sys.platform == "win32":
        _thread.interrupt_main()
        time.sleep(STOP_SECONDS)
        os._exit(1)
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    signal.pthread_kill(main_thread, signal.SIGINT)
    time.sleep(STOP_SECONDS)
    if os.getpgid(0) == os.getpid():  # started in its own session: the workers are in the group
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
