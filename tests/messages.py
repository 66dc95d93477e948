"""Lists every message that hwtrace can print about an input or a command line, with an example.

Usage: messages.py [--write] ROOT

Reads the sources below ROOT: calls of fail() and of the constructors of errors, messages of commands, refused options,
and the rules in formats/RULES.md. Compares the list with ROOT/tests/messages.txt, or writes it with --write. In an
example, values are made up from the names of the arguments.
"""

import pathlib
import re
import sys

FOLDERS = ("apps", "libs", "formats")
# A call, and the argument that begins the text of its message. The text may continue in later arguments of fmt::format.
CALLS = {
    "fail": 1,
    "Error": 1,
    "AdvisedError": 1,
    "messages.error": 1,
    "messages_.error": 1,
    "messages.note": 1,
    "messages_.note": 1,
    "line.refuse": 0,
    "not_validated": 1,
}
# Made-up values by a word in the argument. The first match counts.
VALUES = (
    ("why_not_read(", "hwtrace writes csv, but does not read it: give the trace that it was made of"),
    ("only_written", ""), ("extensions", ".ftr, .txlog"),
    ("option.key", "stf-chunk"), ("meant_", " (did you mean stf?)"), ("similar", " (did you mean stf?)"),
    ("names", "csv, flux, ftr"), ("listed(", "csv, flux, ftr"), ("join(", "csv, flux, ftr"),
    ("format.name", "ftr"), ("to.name", "stf"), ("format->name", "ftr"), ("tool", "hwtrace-dump"),
    ("folder", "tables"), ("path", "run.ftr"), ("file", "run.ftr"), ("input", "run.ftr"), ("output", "out.uscope"),
    ("report_forms", "text, json, sarif"), ("report", "report.json"), ("manifest", "shard.json"),
    ("program", "a.out"), ("qemu", "qemu-riscv64"), ("clock", "--clock"), ("ipc", "--ipc"), ("range", "10us:20us"),
    ("level", "9"), ("threshold", "5%"), ("interval", "1000"), ("shard", "1/8"), ("fault", "the reason"),
    ("strerror", "No such file or directory"), ("errno", "No such file or directory"), ("error", "the reason"),
    ("option", "--range"), ("rule", "STF062"), ("track", "core0/read"), ("field", "addr"), ("view", "frames"),
    ("key", "kind"), ("scope", "core0"),
    ("count", "12"), ("size", "4096"), ("number", "12"), ("limit", "65536"), ("bytes", "4096"), ("time", "1500"),
    ("offset", "660473"), ("position", "1994"), ("version", "0.1.0"), ("reason", "no space left"),
    ("name", "run"), ("text", "5x"), ("word", "5x"), ("value", "7"), ("why", "the reason"),
)


def arguments(text, begin):
    """Returns the arguments of a call whose parenthesis opens before `begin`, and the offset behind the call."""
    parts, depth, start, at = [], 0, begin, begin
    while at < len(text):
        c = text[at]
        if c == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif c == "'" and not text[at - 1].isalnum():
            at += 1
            while text[at] != "'":
                at += 2 if text[at] == "\\" else 1
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return parts + [text[start:at].strip()], at + 1
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    return parts, at


LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def literals(expression):
    """Returns the joined string literals at the beginning of an expression, and the rest."""
    out = ""
    rest = expression
    while True:
        found = re.match(r'\s*"((?:[^"\\]|\\.)*)"', rest)
        if not found:
            return out, rest
        out += found.group(1)
        rest = rest[found.end():]


def made_up(expression):
    """Returns an example of a value."""
    if LITERAL.fullmatch(expression.strip()):
        return literals(expression)[0]
    words = expression.lower()
    inner = LITERAL.findall(expression)
    if "?" in expression and inner:
        return inner[0]
    if words.startswith("counted("):
        units = LITERAL.findall(expression) or ["record"]
        return "12 " + (units[1] if len(units) > 1 else units[0] + "s")
    for word, value in VALUES:
        if word in words:
            return value
    return "X"


def filled(template, values):
    """Fills the places {} of a format string."""
    values = list(values)
    def fill(found):
        if found.group(0) in ("{{", "}}"):
            return found.group(0)[0]
        return made_up(values.pop(0)) if values else "X"
    return re.sub(r"\{\{|\}\}|\{[^{}]*\}", fill, template)


def example(expression):
    """Returns the example text of a message expression, or None if it has no text of its own."""
    expression = expression.strip()
    found = re.match(r"(?:fmt::format|about|std::string)\(", expression)
    if found:
        parts, end = arguments(expression, found.end())
        head, rest = literals(parts[0]) if parts else ("", "")
        if found.group(0).startswith("fmt") and head:
            return filled(head, parts[1:]) + (example_rest(expression[end:]) or "")
        if found.group(0).startswith("about") and len(parts) > 1:
            inner = example(parts[1])
            return inner and "run.ftr: " + inner
    if "?" in expression and ":" in expression and not expression.startswith('"'):
        texts = LITERAL.findall(expression)
        return texts and " | ".join(texts) or None
    return example_rest(expression)


def example_rest(expression):
    """Returns the example of operands that are joined with + or append()."""
    if not LITERAL.search(expression):
        return None
    out, at = "", 0
    depth, start, operands = 0, 0, []
    text = re.sub(r"\)\s*\.append\(", " + ", expression)
    in_text = False
    while at < len(text):
        c = text[at]
        if c == '"' and (at == 0 or text[at - 1] != "\\"):
            in_text = not in_text
        elif not in_text and c in "([{":
            depth += 1
        elif not in_text and c in ")]}":
            depth -= 1
        elif not in_text and c == "+" and depth <= 0:
            operands.append(text[start:at])
            start = at + 1
        at += 1
    operands.append(text[start:])
    for operand in operands:
        head, rest = literals(operand)
        if head:
            out += head
        elif operand.strip():
            out += example(operand) if operand.strip().startswith("fmt::format(") else made_up(operand)
    return out or None


def unescaped(text):
    return text.replace('\\"', '"').replace("\\'", "'").replace("\\n", " ").replace("\\\\", "\\")


def kind_of(call, parts):
    found = re.search(r"Failure::(\w+)", parts[0]) if parts else None
    if found:
        return {"input": "input", "io": "io", "usage": "usage", "limit": "limit", "internal": "bug"}[found.group(1)]
    if call.endswith("refuse"):
        return "usage"
    return "error" if call.endswith("error") else "note"


def messages_of(path):
    """Yields (kind, example) for the messages of a source, in order."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    names = "|".join(re.escape(name) for name in sorted(CALLS, key=len, reverse=True))
    for found in re.finditer(r"(?<![\w.>])(" + names + r")\(", text):
        call = found.group(1)
        parts, _ = arguments(text, found.end())
        at = CALLS[call]
        if len(parts) <= at or (call in ("fail", "Error", "AdvisedError") and "Failure::" not in parts[0]):
            continue
        if call == "line.refuse":
            said = example(parts[1]) if len(parts) > 1 else None
            name = literals(parts[0])[0]
            said = said and name and name + ": " + said
        else:
            said = example(parts[at])
            if call == "AdvisedError" and said and len(parts) > at + 1:
                said += "; " + (example(parts[at + 1]) or "")
        # A call that only passes on the text of another one says nothing by itself.
        if said and len(re.findall(r"[A-Za-z]{2,}", said)) > 2:
            yield kind_of(call, parts), unescaped(re.sub(r"\s+", " ", said)).strip()


def listed(root):
    lines = [
        "Every message that hwtrace can print, with an example: made by tests/messages.py --write, checked by ctest.",
        "usage: exit 2. input: exit 4. io: exit 5. limit: exit 6. bug: exit 70. error, note: of a command.",
    ]
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            found = list(dict.fromkeys(messages_of(path)))
            if found:
                lines += ["", str(path.relative_to(root))]
                lines += [f"  {kind:<6} {said}" for kind, said in found]
    lines += ["", "formats/RULES.md: findings, as \"FILE: error STF062 at byte 660473: TITLE; expected ..., found ...\""]
    page = (root / "formats/RULES.md").read_text(encoding="utf-8")
    rules = re.findall(r"^### ([A-Z]+\d{3})\n\n\*\*(.*?)\*\*\n\nSeverity: (\w+)", page, flags=re.M | re.S)
    lines += [f"  {name} {severity:<7} {' '.join(title.split())}" for name, title, severity in rules]
    return "\n".join(lines) + "\n"


def main():
    args = [a for a in sys.argv[1:] if a != "--write"]
    root = pathlib.Path(args[0])
    page = root / "tests" / "messages.txt"
    made = listed(root)
    if "--write" in sys.argv:
        page.write_text(made, encoding="utf-8")
        return 0
    if page.read_text(encoding="utf-8") == made:
        return 0
    print("tests/messages.txt is not current: run python3 tests/messages.py --write .")
    return 1


if __name__ == "__main__":
    sys.exit(main())
