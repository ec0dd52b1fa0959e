"""One colour, dash and width for each algorithm, everywhere and for good.

Each colour keeps 3:1 against its background (WCAG 1.4.11), and pairs stay apart under the three
simulated colour-vision deficiencies; since so many hues are never safe by colour alone, the dash
says it again. Variants take their parent's colour; `random` is grey and dotted. The measure, and
how SW-GPUCB's and W-GPUCB's were chosen: tools/palette.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

LIGHT_BACKGROUND, DARK_BACKGROUND = "#FFFFFF", "#12161C"  # as in .streamlit/config.toml


@dataclass(frozen=True, slots=True)
class Ink:
    """How an algorithm is drawn."""

    light: str
    dark: str
    dash: str
    width: float = 2.0


PALETTE = {
    "bolt": Ink("#D62A0B", "#F26A4B", "solid", 3.0),
    "w-dbo": Ink("#17308F", "#3F74E8", "dash"),
    "tv-gpucb": Ink("#147A4E", "#85F0A8", "dot"),
    "r-gpucb": Ink("#C18425", "#F4AF2C", "dashdot"),
    "et-gpucb": Ink("#6B1462", "#B94A7C", "longdash"),
    "abo": Ink("#3699D1", "#1FB0F5", "longdashdot"),
    "sw-gpucb": Ink("#8A0CF0", "#6C54AE", "6px 2px"),
    "w-gpucb": Ink("#423C00", "#F6EA36", "10px 3px 3px 3px"),
    "gpucb": Ink("#4B515E", "#B8C4D1", "2px 4px"),
    "random": Ink("#7A8290", "#8A93A1", "dot"),
}
SPARE = (  # for algorithms that are not of this package, in the order they are met
    Ink("#7A5C3E", "#C9A27C", "5px 2px"),
    Ink("#00737A", "#4FD1D9", "8px 3px 2px 3px"),
    Ink("#8A6D00", "#D8C24A", "1px 3px"),
)
VARIANTS = {
    "bolt-literal": "dash",
    "bolt-oldest": "dashdot",
    "bolt-random": "dot",
    "abo-t": "dash",
    "et-gpucb-fixed-noise": "dot",
}


AGAIN = ("14px 4px", "4px 4px 1px 4px", "1px 2px", "9px 2px 1px 2px 1px 2px")  # nobody's first


def ink(key: str, nth: int = 0) -> Ink:
    """How the nth lane of an algorithm is drawn; a stranger is neutral, always the same."""
    first = _first(key)
    return replace(first, dash=AGAIN[(nth - 1) % len(AGAIN)]) if nth else first


def _first(key: str) -> Ink:
    if key in PALETTE:
        return PALETTE[key]
    parent = next((name for name in PALETTE if key.startswith(f"{name}-")), None)
    if key in VARIANTS and parent is not None:
        base = PALETTE[parent]
        return Ink(base.light, base.dark, VARIANTS[key])
    return SPARE[sum(key.encode()) % len(SPARE)]


def place(key: str) -> int:
    """Who is named first where there is no room for all."""
    return list(PALETTE).index(key) if key in PALETTE else len(PALETTE)


def colours(keys: list[str]) -> dict[str, dict[str, str]]:
    """{"light": {key: colour}, "dark": {...}} for the component that draws."""
    return {
        "light": {key: ink(key).light for key in keys},
        "dark": {key: ink(key).dark for key in keys},
    }
