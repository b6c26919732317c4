# SPDX-License-Identifier: Apache-2.0
"""The files of the working tree: tracked, or new and not ignored. Without git: everything outside the ignored folders."""
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IGNORED_FOLDERS = {".git", "build", "out", "node_modules", "__pycache__"}


def repo_files(root=ROOT):
    """Sorted paths relative to root, as strings with forward slashes."""
    if (Path(root) / ".git").exists():
        try:
            # safe.directory: a checkout owned by another user (a container's mount) is still ours to list.
            command = ["git", "-c", f"safe.directory={root}", "-C", str(root), "ls-files", "-z", "--cached", "--others",
                       "--exclude-standard"]
            listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
            return sorted({f for f in listed if f and (Path(root) / f).is_file()})
        except (OSError, subprocess.CalledProcessError):
            pass
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [d for d in folders if d not in IGNORED_FOLDERS]
        found += [Path(folder, f).relative_to(root).as_posix() for f in files]
    return sorted(found)


def text_of(path, root=ROOT):
    """The file's text, or None for a binary file."""
    data = (Path(root) / path).read_bytes()
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8", errors="replace")
