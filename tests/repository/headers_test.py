#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every public header stands alone: it names the header of each standard or cairn facility it uses, itself or through a
cairn header that it includes. Precompiled headers would hide what is missing from our own builds, not from a user's.

This reads text and takes a second; `./test --full` compiles every header alone, which takes minutes."""
import re
import sys

from repo_files import ROOT, repo_files

# Names of the standard library and where they may come from; the first is what we suggest.
PROVIDERS = {
    r"std::vector\b": ["vector"],
    r"std::array\b": ["array"],
    r"std::span\b": ["span"],
    r"std::string\b|std::to_string\b|std::getline\b": ["string"],
    r"std::string_view\b": ["string_view", "string"],
    r"std::(unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b": ["memory"],
    r"std::function\b": ["functional"],
    r"std::optional\b|std::nullopt\b": ["optional"],
    r"std::variant\b|std::visit\b|std::get_if\b|std::holds_alternative\b|std::monostate\b": ["variant"],
    r"std::(map|multimap)\b": ["map"],
    r"std::(set|multiset)\b": ["set"],
    r"std::unordered_map\b": ["unordered_map"],
    r"std::unordered_set\b": ["unordered_set"],
    r"std::deque\b": ["deque"],
    r"std::(tuple|tie|make_tuple)\b": ["tuple"],
    r"std::(atomic|atomic_\w+|memory_order\w*)\b": ["atomic"],
    r"std::(mutex|lock_guard|unique_lock|scoped_lock)\b": ["mutex", "shared_mutex"],
    r"std::(condition_variable)\b": ["condition_variable"],
    r"std::(thread|jthread)\b": ["thread"],
    r"std::chrono::": ["chrono"],
    r"std::filesystem::": ["filesystem"],
    r"std::(ostream|istream)\b": ["iosfwd", "ostream", "istream", "iostream", "fstream", "sstream"],
    r"std::(ofstream|ifstream)\b": ["fstream"],
    r"std::(ostringstream|istringstream|stringstream)\b": ["sstream"],
    r"std::u?int(8|16|32|64)_t\b": ["cstdint"],
    r"std::(numeric_limits)\b": ["limits"],
    r"std::(sort|fill|copy|copy_n|max_element|min_element|lower_bound|upper_bound|clamp|any_of|all_of|find_if|reverse|"
    r"fill_n|transform|stable_sort|count_if|nth_element|swap_ranges|equal)\b": ["algorithm"],
    r"std::(max|min)\b": ["algorithm"],
    r"std::(sqrt|abs|sin|cos|tan|atan2|atan|exp|log|pow|hypot|isfinite|isnan|floor|ceil|round|cbrt|fma|copysign|acos|asin)\b":
        ["cmath", "complex", "Eigen/Core", "Eigen/Dense", "Eigen/Geometry", "Eigen/SparseCore"],
    r"std::(accumulate|iota|inner_product|gcd)\b": ["numeric"],
    r"std::(runtime_error|logic_error|invalid_argument)\b": ["stdexcept"],
    r"std::(mt19937|mt19937_64|uniform_real_distribution|normal_distribution)\b": ["random"],
    r"std::numbers::": ["numbers"],
    r"std::bitset\b": ["bitset"],
    r"std::(memcpy|memcmp|memset)\b": ["cstring"],
    r"\bassert\(": ["cassert"],
    r"\b(Eigen::\w+)\b": ["Eigen/Core", "Eigen/Dense", "Eigen/SparseCore", "Eigen/Geometry", "Eigen/Sparse"],
    r"\bfmt::": ["fmt/format.h", "fmt/core.h"],
}
PROVIDERS = {re.compile(name): headers for name, headers in PROVIDERS.items()}


def code_of(text):
    """The text without comments and string literals."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r'^(#include\s+)"([^"]*)"', r"\1<\2>", text, flags=re.M))
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def complaints(texts):
    """What is wrong with these headers: {path below src: text}."""
    code = {path: code_of(text) for path, text in texts.items()}
    direct = {path: set(re.findall(r"^#include\s+<([^>]+)>", c, re.M)) for path, c in code.items()}
    closed = {}

    def closure(path):
        if path not in closed:
            closed[path] = set()  # a circle ends here
            found = set(direct.get(path, ()))
            for other in direct.get(path, ()):
                if other in direct:
                    found |= closure(other)
            closed[path] = found
        return closed[path]

    for path, text in texts.items():
        if "#pragma once" not in text:
            yield f"src/{path}: no #pragma once"
        for other in sorted(direct[path]):
            if other.startswith("cairn/") and other not in direct:
                yield f"src/{path}: includes {other}, which does not exist"
        for name, headers in PROVIDERS.items():
            use = name.search(code[path])
            if use and not closure(path).intersection(headers):
                line = code[path].count("\n", 0, use.start()) + 1
                yield f"src/{path}:{line}: {use[0]} without #include <{headers[0]}>"


def check_the_rules_themselves():
    good = {"cairn/a.h": '#pragma once\n#include <vector>\n// std::map in words\ninline std::vector<int> f();\n',
            "cairn/b.h": '#pragma once\n#include "cairn/a.h"\nstd::vector<int> g();\n'}
    assert not list(complaints(good)), list(complaints(good))
    assert len(list(complaints({"cairn/c.h": "#pragma once\nstd::vector<int> g();\n"}))) == 1
    assert len(list(complaints({"cairn/c.h": '#pragma once\n#include "cairn/gone.h"\n'}))) == 1
    assert len(list(complaints({"cairn/c.h": "int g();\n"}))) == 1


def main():
    check_the_rules_themselves()
    texts = {f.removeprefix("src/"): (ROOT / f).read_text() for f in repo_files() if re.fullmatch(r"src/.*\.h", f)}
    wrong = list(complaints(texts))
    for message in wrong:
        print(message)
    print(f"{len(texts)} headers")
    sys.exit(1 if wrong or not texts else 0)


if __name__ == "__main__":
    main()
