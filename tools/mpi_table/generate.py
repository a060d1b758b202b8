# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the wrappers of an interposer from the table of prototypes and a tool's own rules.

A rule file is TOML: `namespace`, perhaps `classes` (those of the table to wrap; without it all),
and `[[rule]]` tables with `functions` (names without `MPI_`; a rule holds for the `_c` form, too)
and C++ that may use the parameters by name and the guard `call`:

- `always`: first of all, in calls from within MPI as well, without `call`,
- `before` the real call, `replace = {parameter = "expression"}` in it,
- `after` it, only when MPI returned success.

`sampled = true` puts the guard `UntimedCall` of the tool before `Call`, for functions that are
called often and cost next to nothing. `collective = true` extends a rule to `I<name>` and
`<name>_init`. `hand_written = true`: the tool defines MPI_X and PMPI_X
itself.

Output: `functions.hpp` (an enum, names, classes, pointers to the real functions), `wrappers.cpp`.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prototypes import Prototype, declared, read_table

_HEAD = "// Made by tools/mpi_table/generate.py: change mpi.table or the rules, not this file.\n"


@dataclass(frozen=True)
class Rule:
    """What a tool does around one function."""

    always: str = ""
    before: str = ""
    after: str = ""
    replace: dict[str, str] = field(default_factory=dict)
    hand_written: bool = False
    sampled: bool = False


@dataclass(frozen=True)
class Rules:
    """What a rule file says: rules by base name, and the classes to wrap (empty: all)."""

    namespace: str
    classes: frozenset[str]
    by_name: dict[str, Rule]

    def chosen(self, prototypes: list[Prototype]) -> list[Prototype]:
        """Those of the classes to wrap."""
        return [p for p in prototypes if not self.classes or p.kind in self.classes]


def read_rules(path: Path) -> Rules:
    """Read a rule file; two rules for one function are an error."""
    with path.open("rb") as stream:
        document = tomllib.load(stream)
    rules: dict[str, Rule] = {}
    for entry in document["rule"]:
        for name, rule in _expand(entry):
            if name in rules:
                raise ValueError(f"{path}: two rules for {name}. Remove one.")
            rules[name] = rule
    return Rules(document["namespace"], frozenset(document.get("classes", [])), rules)


def _expand(entry: dict[str, Any]) -> list[tuple[str, Rule]]:
    rule = Rule(
        entry.get("always", ""),
        entry.get("before", ""),
        entry.get("after", ""),
        entry.get("replace", {}),
        entry.get("hand_written", False),
        entry.get("sampled", False),
    )
    found = [(name, rule) for name in entry["functions"]]
    if entry.get("collective", False):
        found += [("I" + name[0].lower() + name[1:], rule) for name in entry["functions"]]
        persistent = Rule(
            after=f"call.plan();\n        {rule.after}\n        call.make_persistent(*request);"
        )
        found += [(f"{name}_init", persistent) for name in entry["functions"]]
    return found


def functions_header(prototypes: list[Prototype], namespace: str) -> str:
    """The enum of functions, their names and classes, and the pointers to the real ones."""
    kinds = list(dict.fromkeys(p.kind for p in prototypes))
    lines = [_HEAD + "#pragma once", "", "#include <mpi.h>", "", "#include <cstdint>", ""]
    lines += [f"namespace {namespace} {{", ""]
    lines += ["enum class Kind : std::uint8_t {", *(f"    {kind}," for kind in kinds), "};", ""]
    lines += ["enum class Function : std::uint16_t {", *(f"    {p.name}," for p in prototypes)]
    lines += ["};", f"inline constexpr int function_count = {len(prototypes)};", ""]
    lines += ["inline constexpr const char* kind_names[] = {"]
    lines += [f'    "{kind}",' for kind in kinds]
    lines += ["};", "inline constexpr const char* function_names[] = {"]
    lines += [f'    "{p.name}",' for p in prototypes]
    lines += ["};", "inline constexpr Kind function_kinds[] = {"]
    lines += [f"    Kind::{p.kind}," for p in prototypes]
    lines += [
        "};",
        "",
        "/// The library's own functions, found at run time under their PMPI_ names.",
    ]
    lines += ["struct RealFunctions {"]
    lines += [f"    int (*{p.name})({p.declaration});" for p in prototypes]
    lines += ["};", "extern RealFunctions real;", "", f"}}  // namespace {namespace}", ""]
    return "\n".join(lines)


def wrapper(prototype: Prototype, rule: Rule) -> str:
    """MPI_X and PMPI_X around one function."""
    name = prototype.name
    arguments = ", ".join(rule.replace.get(p.name, p.name) for p in prototype.parameters)
    plain = ", ".join(p.name for p in prototype.parameters)
    separator = ", " if prototype.parameters else ""
    declaration = "" if prototype.declaration == "void" else prototype.declaration
    # The unnamed parts of a body stay out when a rule says nothing.
    body = [
        f"static inline int wrap_{name}({declaration}{separator}Frame frame) {{",
        *([f"    {rule.always}"] if rule.always else []),
        *(_sampled_part(name, plain) if rule.sampled else []),
        f"    Call call(Function::{name}, frame);",
        f"    if (!call.counts()) return real.{name}({plain});",
        *(["    call.stand_for_untimed();"] if rule.sampled else []),
    ]
    body += [f"    {rule.before}"] if rule.before else []
    body += [
        "    call.begin();",
        f"    const int code = real.{name}({arguments});",
        "    call.end();",
    ]
    body += [f"    if (code == MPI_SUCCESS) {{\n        {rule.after}\n    }}"] if rule.after else []
    body += ["    return code;", "}"]
    body.append(f"HALOCLINE_WRAPPER int {name}({prototype.declaration}) {{")
    body.append(f"    return wrap_{name}({plain}{separator}HALOCLINE_FRAME);")
    body.append("}")
    # One piece of code under both names: what programs call often stays in the caches.
    body.append(f"HALOCLINE_WRAPPER int P{name}({prototype.declaration})")
    body.append(f'    __attribute__((alias("{name}")));')
    body.append(f"HALOCLINE_HIDE_FROM_DLSYM({name});")
    return "\n".join(body)


def _sampled_part(name: str, plain: str) -> list[str]:
    return [
        f"    if (UntimedCall untimed(Function::{name}, frame); untimed.counts()) {{",
        f"        return real.{name}({plain});",
        "    }",
    ]


def wrappers_source(prototypes: list[Prototype], namespace: str, rules: dict[str, Rule]) -> str:
    """All generated wrappers, and the function that finds the real ones."""
    made = [p for p in prototypes if not rules.get(p.base, Rule()).hand_written]
    headers = ["functions.hpp", "accounting.hpp", "preload/export.hpp"]
    lines = [_HEAD, *(f'#include "{header}"' for header in headers), ""]
    # Open MPI turns functions that MPI 3 removed into macros that do not compile.
    lines += [f"#undef {p.name}" for p in made]
    lines += ["", f"namespace {namespace} {{", "", "RealFunctions real;", ""]
    lines += ["void find_real_functions(void* (*find)(const char* name)) {"]
    lines += [
        f'    real.{p.name} = reinterpret_cast<decltype(real.{p.name})>(find("P{p.name}"));'
        for p in prototypes
    ]
    lines += ["}", ""]
    lines += [wrapper(p, rules.get(p.base, Rule())) + "\n" for p in made]
    lines += [f"}}  // namespace {namespace}", ""]
    return "\n".join(lines)


def unknown_names(prototypes: list[Prototype], rules: Rules) -> list[str]:
    """Functions and classes that the table does not know: a misspelt name must not be silence."""
    known = {p.base for p in prototypes} | {p.kind for p in prototypes}
    return sorted(name for name in (*rules.by_name, *rules.classes) if name not in known)


def main() -> int:
    """Command line: table and rules in, two files out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--header", type=Path, required=True, help="output of cpp on mpi.h")
    parser.add_argument("--output", type=Path, required=True, help="folder of the made files")
    options = parser.parse_args()
    table = read_table()
    rules = read_rules(options.rules)
    if unknown := unknown_names(table, rules):
        print(f"{options.rules}: not in mpi.table: {', '.join(unknown)}.", file=sys.stderr)
        return 2
    header_text = options.header.read_text(encoding="utf-8", errors="replace")
    present = rules.chosen(declared(table, header_text))
    options.output.mkdir(parents=True, exist_ok=True)
    header = functions_header(present, rules.namespace)
    source = wrappers_source(present, rules.namespace, rules.by_name)
    (options.output / "functions.hpp").write_text(header, encoding="utf-8")
    (options.output / "wrappers.cpp").write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
