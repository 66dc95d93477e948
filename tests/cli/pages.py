"""Runs the commands shown in pages and compares their output with the pages.

    pages.py [--write] [--without TAG]... BIN TESTDATA PAGE...

A page shows commands in blocks marked ```console. A line that begins with "$ " is a command; the lines below it are its
output, including standard error. The blocks of a page share one folder, which holds `testdata` and an empty `build`.
Words after "console" are tags: blocks that have one of the tags named by --without are skipped. --write replaces the
shown output with the real output. The exit code is 1 if a page shows other output.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console([^\n]*)\n(.*?)^```$", re.M | re.S)


def run(command, folder, environment):
    """Returns the command's output as on a terminal: both streams, in order, without blanks at the ends of lines."""
    shell = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    text = re.sub(r"[ \t]+$", "", shell.stdout.decode("utf-8", "replace"), flags=re.M)
    return text if text.endswith("\n") or not text else text + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--without", action="append", default=[], metavar="TAG")
    arguments.add_argument("bin", type=pathlib.Path)
    arguments.add_argument("testdata", type=pathlib.Path)
    arguments.add_argument("pages", type=pathlib.Path, nargs="+")
    arguments = arguments.parse_args()
    environment = dict(os.environ, PATH=f"{arguments.bin.resolve()}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    environment.pop("COLUMNS", None)  # pages show drawings of the default width
    commands = different = 0
    for page in arguments.pages:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(arguments.testdata.resolve(), f"{folder}/testdata")
            os.mkdir(f"{folder}/build")

            def real(block):
                nonlocal commands
                if set(block[1].split()) & set(arguments.without):
                    return block[0]
                lines = []
                for command in re.findall(r"^\$ ((?:.*\\\n)*.*)\n", block[2], re.M):
                    commands += 1
                    lines += [f"$ {command}\n", run(command, folder, environment)]
                return f"```console{block[1]}\n{''.join(lines)}```"

            shown = BLOCK.sub(real, text)
        if shown == text:
            continue
        different += 1
        if arguments.write:
            page.write_text(shown, encoding="utf-8")
            print(f"{page}: written")
            continue
        before, after = text.splitlines(), shown.splitlines()
        line = next((i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]), min(len(before), len(after)))
        print(f"{page}:{line + 1}: the page shows '{''.join(before[line:line + 1])}', the command prints "
              f"'{''.join(after[line:line + 1])}'")
    print(f"{commands} commands of {len(arguments.pages)} pages")
    return 1 if commands == 0 or (different and not arguments.write) else 0


if __name__ == "__main__":
    sys.exit(main())
