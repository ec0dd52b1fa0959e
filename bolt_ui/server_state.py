"""The objects that all visitors of this server share.

They are plain Python objects without Streamlit, so that every thread may use them: the pages, the
routes and the thread that builds charts.
"""

import threading
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bolt_core.campaigns.background import Background
from bolt_core.charts import ChartServer
from bolt_core.charts.problem_row import row_of
from bolt_core.charts.races import Races
from bolt_core.common import paths
from bolt_core.common.permissions import Permissions
from bolt_core.live.class_tally import ClassTallies
from bolt_core.live.conductor import Conductor
from bolt_core.problems.problems import Problems
from bolt_core.store import trash
from bolt_core.store.library import Library
from bolt_core.store.stored_races import StoredRaces
from bolt_core.store.sweep import sweep
from bolt_ui.problem.log_jobs import LogJobs


class ServerState:
    """The live races, the stored ones, their charts, problems, logs, a campaign, class tallies."""

    def __init__(
        self,
        directory: Path,
        permissions: Permissions | None = None,
        conductor: Conductor | None = None,
    ) -> None:
        """`directory` holds the records of races; what a killed server left there is removed.

        Problems of users are in the folder `problems` beside it.
        """
        self.permissions = permissions or Permissions(shared=True)
        self.conductor = conductor or Conductor(directory, permissions=self.permissions)
        self.library = Library(directory)
        _clean_up(self.library)
        self.stored_races = StoredRaces(self.library, self.permissions)
        self.problems = Problems(directory.parent / paths.problems().name, self.permissions)
        self.races = Races(self.conductor, self.library, self.problems.find_race)
        self.charts = ChartServer(self.races.find, partial(row_of, self.problems))
        self.logs = LogJobs()
        self.campaigns = Background(self.permissions)
        self.tallies = ClassTallies(self.permissions)

    def shutdown(self) -> None:
        """Stop everything that runs; live races are recorded as stopped."""
        self.campaigns.shutdown()
        self.conductor.shutdown()
        self.problems.shutdown()
        self.logs.shutdown()
        self.charts.shutdown()


def _clean_up(library: Library) -> None:
    """Remove what a killed server left, and what was deleted a day ago."""
    now = datetime.now(UTC).timestamp()
    sweep(library.directory, now)
    trash.tidy(library, now)


_lock = threading.Lock()
_states: dict[Path, ServerState] = {}  # by data directory: a server has one


def server(permissions: Permissions | None = None) -> ServerState:
    """Return the state of this server, created with these permissions by the first call."""
    directory = paths.runs()
    with _lock:
        if directory not in _states:
            _states[directory] = ServerState(directory, permissions)
        return _states[directory]
