#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No file of the repository depends on one machine: no absolute paths of a person's or a build machine's folders,
no host names of package mirrors (lock files must name the public registries)."""
import re
import sys

from repo_files import repo_files, text_of

# Written in pieces, so that this file does not complain about itself.
FOLDERS = ["wo" + "rk", "ro" + "ot", "home/" + r"[\w.-]+", "Us" + r"ers/[\w.-]+", "mnt/" + r"[\w.-]+", "bu" + "ilds?"]
BEFORE = r"(?:(?<=\s-[IL])|(?<=^-[IL])|(?<![\w.~$})\]*-]))"  # start of a path; -I and -L are compiler flags
ABSOLUTE = re.compile(BEFORE + r"/(?:" + "|".join(FOLDERS) + r")/[\w.*-]")
SCRATCH = re.compile(BEFORE + r"/t" + r"mp/(?!XXXX)[\w.-]+")
OUTSIDE = re.compile(r"(?<![\w/.-])sha" + r"red/\w")  # a folder beside the repository, which a reader does not have
HOST = re.compile(r"\b[a-z]+://(?:[^/\s@\"'<>]*@)?(?P<host>[\w.-]+)")
PRIVATE_HOST = re.compile(
    r"(^|[.-])(mirrors?|artifactory|nexus|devpi|verdaccio|jfrog|proxy|apt|deb|archive|packages)[.-]"
    r"|\.(internal|intranet|corp|lan|local)$|^(?!127\.|0\.0\.0\.0)\d+\.\d+\.\d+\.\d+$")
LOCK_FILES = {"package-lock.json": {"registry.npmjs.org"}, "yarn.lock": {"registry.yarnpkg.com", "registry.npmjs.org"}}
PUBLIC = {"packages.debian.org", "archive.org", "web.archive.org", "archive.ph", "localhost"}


def find_problems(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        if match := ABSOLUTE.search(line) or SCRATCH.search(line):
            yield f"{name}:{number}: absolute path of one machine: {line[match.start():match.start() + 40].strip()}"
        if match := OUTSIDE.search(line):
            yield f"{name}:{number}: a path outside the repository: {line[match.start():match.start() + 40].strip()}"
        for match in HOST.finditer(line):
            host = match["host"].lower()
            if host not in PUBLIC and PRIVATE_HOST.search(host):
                yield f"{name}:{number}: host of a package mirror or private network: {host}"
        allowed = LOCK_FILES.get(name.rsplit("/", 1)[-1])
        if allowed and (match := re.search(r'resolved"?:? "?https?://([\w.-]+)', line)) and match[1] not in allowed:
            yield f"{name}:{number}: resolved from {match[1]}; lock files name {', '.join(sorted(allowed))}"


def check_the_rules_themselves():
    bad = ["see /wo" + "rk/main/x.h", "-I/ro" + "ot/include", "path=/home/" + "ann/x", "/t" + "mp/build-x/a.o",
           "see sha" + "red/notes.md",
           "http:/" + "/deb.debian.org/debian", "https:/" + "/npm.mirror.example.com/x", "http:/" + "/10.0.0.7:8080/simple"]
    good = ["a/work/b", "https://example.org/root/x", "build/release", "http://127.0.0.1:8000", "$HOME/x", "half/home/x",
            "https://doi.org/10.1007/x", "#!/usr/bin/env python3", "https://github.com/someone/mirror-of-x", "m/s / work/"]
    for line in bad:
        assert list(find_problems("file", line)), f"not noticed: {line}"
    for line in good:
        assert not list(find_problems("file", line)), f"wrongly refused: {line}"
    lock = '"resolved": "https://npm.example' + '.com/three.tgz"'
    assert list(find_problems("viewer/package-lock.json", lock)), "not noticed: lock file"


def main():
    check_the_rules_themselves()
    problems = []
    for name in repo_files():
        text = text_of(name)
        if text is not None:
            problems += find_problems(name, text)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
