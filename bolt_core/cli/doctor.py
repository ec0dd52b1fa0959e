"""`bolt doctor`: versions, threads and folders of this machine."""

import os
import shutil
from collections.abc import Iterable, Mapping

from bolt_core import algorithms, benchmarks
from bolt_core.bench.clock import thread_to_process
from bolt_core.cli import _plugin_commands
from bolt_core.cli._parts import AsJson, print_facts
from bolt_core.common import entry_point_groups, paths, runtime
from bolt_core.common.registry import PluginProblem, reason

NOT_INSTALLED = "not installed"


def doctor(as_json: AsJson = False) -> None:
    """Show CPU, BLAS threads, versions, the data directory and whether the dashboard can start."""
    before = runtime.blas_threads()
    runtime.configure()
    share = thread_to_process()
    facts = runtime.facts()
    home = paths.home()
    runs = list(paths.runs().glob("*.jsonl"))
    checks = {
        "cpu": f"{facts['cpu']}, {facts['cores']} cores",
        "BLAS threads": f"{facts['blas_threads']} (found {before}, limited for every run)",
        "thread time / process time": f"{share:.2f} (1 means the cpu clock sees all the work)",
        "python": str(facts["python"]),
        **{name: v or NOT_INSTALLED for name, v in runtime.versions().items()},
        "data directory": paths.home_problem()
        or f"{home} ({'there' if home.exists() else 'made at the first run'}, writable)",
        "recorded runs": f"{len(runs)}, {sum(f.stat().st_size for f in runs) / 1e6:.1f} MB",
        "benchmarks, algorithms": f"{len(benchmarks.catalog())}, {len(algorithms.catalog())}",
        "dashboard": NOT_INSTALLED,
        **_checks_of_others(),
        "plug-ins left out": "; ".join(map(str, _left_out())) or "none",
        "chromium (browser tests)": os.environ.get("BOLT_CHROMIUM")
        or shutil.which("chromium")
        or "not found",
    }
    print_facts(checks, checks if as_json else None)


def _checks_of_others() -> Mapping[str, str]:
    """Return the lines that other packages add; one that fails is a line with its error."""
    lines: dict[str, str] = {}
    for name, check in entry_point_groups.load(entry_point_groups.CHECKS).objects.items():
        try:
            lines |= check()
        except Exception as problem:  # noqa: BLE001 - code of others
            lines[name] = f"this check failed: {reason(problem)}"
    return lines


def _left_out() -> Iterable[PluginProblem]:
    checks = entry_point_groups.load(entry_point_groups.CHECKS)
    plugins = (*benchmarks.problems(), *algorithms.problems())
    return (*plugins, *_plugin_commands.left_out, *checks.problems)
