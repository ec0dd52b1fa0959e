"""Interrupt and kill processes and their groups.

A process group holds a process and its workers. On Windows, which has no such groups, a process is
interrupted and killed alone; this has not been tried there.
"""

import _thread
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any


def in_own_group() -> dict[str, Any]:
    """Return arguments of Popen: Ctrl-C in the terminal then does not reach the new process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a process that was started with `in_own_group`, like Ctrl-C."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        process.send_signal(signal.SIGINT)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that was started with `in_own_group`, and its workers."""
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError):  # the group has the id of its first process
        os.killpg(process.pid, signal.SIGKILL)


def interrupt_main_thread() -> None:
    """Raise KeyboardInterrupt in the main thread of this process, also while it waits."""
    main_thread = threading.main_thread().ident
    if sys.platform == "win32" or main_thread is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)


def kill_own_group() -> None:
    """End this process at once, with its workers if it was started with `in_own_group`."""
    if sys.platform != "win32" and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
