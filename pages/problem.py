"""Your problem: a plant of your own, described, brought as a log, or opened from a file."""

from bolt_ui.problem import doors, found_problem, running, selection

problem_id = selection.problem_id()
view = None if problem_id is None else found_problem.view(problem_id)
if view is not None:
    running.show(view)
else:
    if problem_id is not None:
        selection.leave()
        doors.unknown(problem_id)
    doors.show()
