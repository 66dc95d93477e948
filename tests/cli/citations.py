"""Checks that every citation resolves: citations.py ROOT. Prints a line for each that leads nowhere, and the counts.

A relative link in a page leads to a file and, with #anchor, to a heading. A page or source that a file names exists. No
file cites texts that are not in the repository."""

import os
import re
import sys

LISTED = re.compile(r"(\.md|\.[chv]pp|\.[ch]|\.sv|\.sh|\.py|\.awk|\.cmake|CMake[^/]*\.txt|CMakePresets\.json|\.schema\.json|\.in|\.yml)$")
# RULES.md repeats rules from the sources. The links in both pages are checked.
NO_SOURCES = {"CHANGELOG.md", "formats/RULES.md", "tests/cli/citations.sh", "tests/cli/citations.py", "tests/cli/rules.sh"}
FENCE = re.compile(r"^ *(```|~~~)")
ABSENT = re.compile(r"(^|[^A-Za-z0-9_/-])(spec/[a-z]*|study/|DESIGN([^A-Za-z_]|$)|CONTRACT([^A-Za-z_]|$))")
PAGE = re.compile(r"[A-Za-z0-9_./-]*[A-Za-z0-9_-]\.md(#[A-Za-z0-9_-]+)?")
SOURCE = re.compile(r"[a-z_]+/[A-Za-z0-9_./-]*\.([ch]pp|sv)")


def files_of(root):
    """Returns the text of each source file by its path. Skips build folders."""
    files = {}
    for folder, folders, names in os.walk(root):
        if "CMakeCache.txt" in names:
            folders.clear()
            continue
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if LISTED.search(name) and not os.path.islink(path):
                with open(os.path.join(root, path), encoding="utf-8", errors="surrogateescape") as file:
                    files[path] = file.read().split("\n")
    return files


def prose_of(lines):
    """Yields the number and the text of each line outside of blocks of code."""
    fenced = False
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors_of(lines):
    """Returns the anchors of the headings, as hosts of Markdown pages form them."""
    anchors, seen = set(), {}
    for _, line in prose_of(lines):
        heading = re.match(r"#{1,6} +(.*?) *#* *$", line)
        if not heading:
            continue
        text = re.sub(r"\]\([^)]*\)", "", heading.group(1)).lower()
        text = re.sub(r"[^a-z0-9 _\u0080-\U0010ffff-]", "", text).replace(" ", "-")
        times = seen.get(text, 0)
        seen[text] = times + 1
        anchors.add(f"{text}-{times}" if times else text)
    return anchors


class Citations:
    def __init__(self, root):
        self.root = root
        self.files = files_of(root)
        self.pages = [path for path in self.files if path.endswith(".md")]
        self.sources = [path for path in self.files if path not in NO_SOURCES]
        self.anchors = {path: anchors_of(self.files[path]) for path in self.pages}
        self.faults = []

    def leads_somewhere(self, folder, path, anchor):
        place = os.path.normpath(os.path.join(folder, path))
        if not os.path.exists(os.path.join(self.root, place)):
            return False
        return not anchor or anchor in self.anchors.get(place, ())

    def check_links(self):
        """Checks the relative links of pages. Returns their number."""
        count = 0
        for page in self.pages:
            for number, line in prose_of(self.files[page]):
                for target in re.findall(r"\]\(([^) ]*)", re.sub(r"`[^`]*`", "`", line)):
                    if re.match(r"[a-z]+:", target):
                        continue
                    count += 1
                    path, _, anchor = target.partition("#")
                    if not self.leads_somewhere(os.path.dirname(page), path or os.path.basename(page), anchor):
                        self.faults.append(f"{page}:{number}: the link '{target}' leads nowhere")
        return count

    def check_named_pages(self):
        """Checks pages that any source names. A name is relative to a folder above the source, or to formats/ there."""
        count = 0
        for source in self.sources:
            for number, line in enumerate(self.files[source], 1):
                line = line.replace("\\n", " ")
                for match in PAGE.finditer(line):
                    # A path after a shell variable is unknown. An absolute one is part of an address.
                    if line[: match.start()].endswith(("$", "}")) or match.group().startswith("/"):
                        continue
                    count += 1
                    if not self.is_named_page(source, match.group()):
                        self.faults.append(f"{source}:{number}: there is no {match.group()}")
        return count

    def is_named_page(self, source, target):
        path, _, anchor = target.partition("#")
        folder = os.path.dirname(source)
        while True:
            if any(self.leads_somewhere(base, path, anchor) for base in (folder, os.path.join(folder, "formats"))):
                return True
            if not folder:
                return False
            folder = os.path.dirname(folder)

    def check_named_sources(self):
        """Checks sources that comments and pages name with their folder: "codec/reader.hpp"."""
        ends = {"/".join(parts[i:]) for parts in (path.split("/") for path in self.files) for i in range(len(parts))}
        count = 0
        for source in self.sources:
            is_page = source.endswith(".md")
            if not is_page and not re.search(r"\.([chv]pp|[ch])$", source):
                continue
            for number, line in enumerate(self.files[source], 1):
                if "#include" in line or "://" in line or (not is_page and "//" not in line):
                    continue
                for match in SOURCE.finditer(line if is_page else line.rpartition("//")[2]):
                    count += 1
                    if match.group().removeprefix("hwtrace/") not in ends:
                        self.faults.append(f"{source}:{number}: there is no {match.group()}")
        return count

    def check_absent_texts(self):
        for source in self.sources:
            for number, line in enumerate(self.files[source], 1):
                if ABSENT.search(line):
                    self.faults.append(f"{source}:{number}: cites a text that is not in the repository: {line}")


def main():
    citations = Citations(sys.argv[1])
    few = [
        ("files are looked at", len(citations.files), 300),
        ("headings are found", sum(map(len, citations.anchors.values())), 300),
        ("links are found", citations.check_links(), 50),
        ("pages are named in the sources", citations.check_named_pages(), 50),
        ("sources are named", citations.check_named_sources(), 300),
    ]
    citations.check_absent_texts()
    citations.faults += [f"few {what}: {count}" for what, count, least in few if count <= least]
    print(", ".join(f"{count} {what}" for what, count, _ in few))
    print("\n".join(citations.faults), file=sys.stderr)
    sys.exit(1 if citations.faults else 0)


main()
