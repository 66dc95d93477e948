"""Assembles a hexadecimal text of testdata/ (testdata/README.md, Hexadecimal files) that has bytes only.

    unhex.py TEXT FILE
"""
import re
import sys

WORD = re.compile(r"#.*|'([^']*)'|u(8|16|32|64)=(\S+)|((?:[0-9A-Fa-f]{2})+)(?!\S)|(\S+)")


def main():
    out = bytearray()
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            for text, width, number, digits, other in WORD.findall(line):
                if other:
                    sys.exit(f"{sys.argv[1]}: '{other}' is not a byte")
                out += text.encode() + bytes.fromhex(digits)
                if width:
                    out += int(number, 0).to_bytes(int(width) // 8, "little")
    with open(sys.argv[2], "wb") as file:
        file.write(out)


if __name__ == "__main__":
    main()
