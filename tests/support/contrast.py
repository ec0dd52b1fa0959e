"""Contrast of two colours, as WCAG 2 defines it."""


def channels(colour):
    """Return red, green and blue of "#RRGGBB", from 0 to 255."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def luminance(colour):
    shares = [c / 255 for c in channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def blended(colour, background, share):
    """Return a colour with an opacity of `share` on a background."""
    pairs = zip(channels(colour), channels(background), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)
