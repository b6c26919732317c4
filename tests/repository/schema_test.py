#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/scene.schema.json accepts every example and refuses every scene of tests/badinput/scenes, as the reader does
(tests/io/scene_test.cpp and tests/badinput/bad_scene_test.cpp hold it to the same files); the example of docs/scene.md is
the file it says it is.

Skipped (status 77) without python3-jsonschema and python3-yaml."""
import json
import re
import sys

from repo_files import ROOT

SKIPPED = 77
try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)


def main():
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    wrong = []

    examples = sorted((ROOT / "examples").glob("*.yaml"))
    for file in examples:
        for error in validator.iter_errors(yaml.safe_load(file.read_text())):
            wrong.append(f"{file.relative_to(ROOT)}: the schema refuses {error.json_path}: {error.message[:200]}")

    bad = sorted((ROOT / "tests/badinput/scenes").glob("*.yaml"))
    for file in bad:
        if validator.is_valid(yaml.safe_load(file.read_text())):
            wrong.append(f"{file.relative_to(ROOT)}: the schema accepts it")

    page = (ROOT / "docs/scene.md").read_text()
    snippet = re.search(r"```yaml\n# (examples/\S+) .*?```", page, re.DOTALL)
    shown = yaml.safe_load(snippet[0].removeprefix("```yaml").removesuffix("```"))
    if shown != yaml.safe_load((ROOT / snippet[1]).read_text()):
        wrong.append(f"docs/scene.md shows another scene than {snippet[1]}")

    if len(examples) < 8 or len(bad) < 8:
        wrong.append(f"only {len(examples)} examples and {len(bad)} bad scenes found")
    for message in wrong:
        print(message)
    if wrong:
        sys.exit(1)
    print(f"the schema accepts {len(examples)} examples and refuses {len(bad)} bad scenes")


if __name__ == "__main__":
    main()
