"""A virtual environment of its own for what a comparison needs from PyPI."""
import os
import subprocess
import sys

SKIPPED = 77


def enter(venv, *packages):
    """Runs the calling script again by the environment's interpreter, with --inside; makes the environment if it is missing."""
    python = venv / "bin/python"
    if not python.exists():
        for command in ([sys.executable, "-m", "venv", venv], [python, "-m", "pip", "install", "-q", *packages]):
            try:
                subprocess.run([str(word) for word in command], check=True)
            except (OSError, subprocess.CalledProcessError) as reason:
                print(f"skipped: {', '.join(packages)} cannot be installed here: {reason}")
                raise SystemExit(SKIPPED) from None
    os.execv(python, [str(python), sys.argv[0], "--inside", *sys.argv[1:]])
