"""Arena: which algorithm tracks the moving optimum best?"""

from bolt_ui import arena, page_head, presentation, presenter, race_buttons, race_status, session
from bolt_ui.lessons import lesson_panel, lesson_state

lesson = lesson_state.current()
race = session.watched() if lesson is None else lesson.race
begun = race is None or race_status.has_begun(race)

if lesson is not None:
    lesson_panel.show(lesson)
elif not presentation.presenting():
    lesson_panel.unknown_lesson()
    if "controls" in presentation.hidden():
        page_head.compact_heading("Arena")
    if "controls" not in presentation.hidden():
        arena.settings_toolbar(race)
    presentation.note()

if presentation.presenting():
    presenter.show(race, begun=begun)
elif race is not None:
    race_buttons.status_bar(race)
    race_status.failures(race)
    if begun:
        arena.race_charts(race)
elif lesson is None:
    race_status.unknown_race(session.watched_id())
    arena.recording()
