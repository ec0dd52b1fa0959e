"""A visitor of the dashboard that speaks Streamlit's websocket protocol, as a browser does."""

import re
import secrets
from types import TracebackType
from typing import Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tools.chaos.web import HOST

WIDGET = re.compile(rb"\$\$ID-[0-9a-f]{32}-([A-Za-z_][\w.-]*)")
MAX_MESSAGE_BYTES = 64 * 2**20


class Visitor:
    """One tab: it opens a page, presses buttons, and notes exceptions that a page shows."""

    def __init__(self, port: int, *, cookies: str | None = None, origin: str | None = None) -> None:
        """Without `cookies` the visitor has a token of its own."""
        self.cookies = cookies if cookies is not None else f"bolt_owner={secrets.token_hex(12)}"
        headers = {"Cookie": self.cookies} | ({"Origin": origin} if origin else {})
        self._connecting = connect(
            f"ws://{HOST}:{port}/_stcore/stream",
            additional_headers=headers,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=30,
            close_timeout=1,
        )
        self.page, self.query = "", ""
        self.widgets: dict[str, str] = {}  # id by key, of those shown last
        self.exceptions: list[str] = []
        self.errors: list[str] = []  # texts in red boxes
        self._kept: dict[str, WidgetState] = {}

    def __enter__(self) -> Self:
        self.socket: ClientConnection = self._connecting.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connecting.__exit__(kind, error, trace)

    def open(self, page: str = "", query: str = "", timeout: float = 30.0) -> None:
        """Open a page by its name; empty for the Arena."""
        self.page, self.query = page, query
        self._kept = {}
        self._run([], timeout)

    def press(self, key: str, timeout: float = 30.0) -> bool:
        """Press the button with that key; False if the page does not show it."""
        if (widget_id := self.widgets.get(key)) is None:
            return False
        self._run([WidgetState(id=widget_id, trigger_value=True)], timeout)
        return True

    def keep_value(self, state: WidgetState) -> None:
        """Send this value of a widget with everything that follows."""
        self._kept[state.id] = state

    def set_value(self, *states: WidgetState, timeout: float = 30.0) -> None:
        """Send values of widgets, which run the page again."""
        self._run(list(states), timeout)

    def send(self, data: bytes) -> None:
        """Send bytes that need not be a message."""
        self.socket.send(data)

    def leave_early(self, page: str, query: str) -> None:
        """Ask for a page and leave before it is there."""
        self.page, self.query = page, query
        self._ask([])

    def _run(self, states: list[WidgetState], timeout: float) -> None:
        self._ask(states)
        self.widgets = {}
        try:
            while self._take(self.socket.recv(timeout)):
                pass
        except (ConnectionClosed, TimeoutError) as problem:
            self.exceptions.append(f"{self.page or 'arena'}?{self.query[:200]}: {problem!r}")

    def _ask(self, states: list[WidgetState]) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = self.page
        message.rerun_script.widget_states.widgets.extend([*self._kept.values(), *states])
        self.send(message.SerializeToString())

    def _take(self, data: str | bytes) -> bool:
        """Read a message; return whether the page goes on."""
        message = ForwardMsg()
        message.ParseFromString(data if isinstance(data, bytes) else data.encode())
        kind = message.WhichOneof("type")
        if kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._see(message)
        elif kind == "delta":
            self._note_widgets(message)
        return kind != "script_finished" or message.script_finished == _RERUN

    def _see(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        if element.WhichOneof("type") == "exception":
            text = f"{element.exception.type}: {element.exception.message}"
            self.exceptions.append(f"{self.page or 'arena'}?{self.query[:200]}: {text}")
        elif element.WhichOneof("type") == "alert":
            self.errors.append(element.alert.body)
        self._note_widgets(message)

    def _note_widgets(self, message: ForwardMsg) -> None:
        for found in WIDGET.finditer(message.SerializeToString()):
            self.widgets[found[1].decode()] = found[0].decode()


_RERUN = ForwardMsg.FINISHED_EARLY_FOR_RERUN
