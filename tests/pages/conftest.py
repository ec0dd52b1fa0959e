"""Every test of a page loads the page kit, which speeds up AppTest."""

import tests.support.page_kit  # noqa: F401
