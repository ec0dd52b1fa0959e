"""The packages of the wheel: those that have an __init__.py, and folders mapped into bolt_ui.

Everything else is in pyproject.toml, which cannot add a mapped folder to the packages it finds.
"""

from setuptools import find_packages, setup

MAPPED = ["bolt_ui.page_files", "bolt_ui.settings_files", "bolt_ui.doc_files"]

setup(packages=[*find_packages(include=["bolt_core*", "bolt_ui*"]), *MAPPED])
