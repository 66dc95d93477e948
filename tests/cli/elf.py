# elf.py FILE TYPE ADDRESS NAME:BEGIN:SIZE...: writes a small ELF file with a section of code at ADDRESS and functions in
# it. TYPE is 2 (program) or 3 (can be loaded anywhere). It has no segments and no debug information.
import struct
import sys

path, kind, address, *functions = sys.argv[1:]
address = int(address, 0)
code = bytes(0x1000)
names, symbols = b"\0", bytes(24)
for function in functions:
    name, begin, size = function.split(":")
    symbols += struct.pack("<IBBHQQ", len(names), 0x12, 0, 1, int(begin, 0), int(size, 0))
    names += name.encode() + b"\0"
section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
parts, offsets = b"", []
for part in (code, symbols, names, section_names):
    parts += bytes(-len(parts) % 8)
    offsets.append(64 + len(parts))
    parts += part
parts += bytes(-len(parts) % 8)


def section(name, kind, flags, where, index, size, link=0, info=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, where, offsets[index], size, link, info, 8, entry)


table = bytes(64) + section(1, 1, 6, address, 0, len(code)) + section(7, 2, 0, 0, 1, len(symbols), 3, 1, 24)
table += section(15, 3, 0, 0, 2, len(names)) + section(23, 3, 0, 0, 3, len(section_names))
header = b"\x7fELF\2\1\1" + bytes(9)
header += struct.pack("<HHIQQQIHHHHHH", int(kind), 243, 1, address, 0, 64 + len(parts), 0, 64, 0, 0, 64, 5, 4)
with open(path, "wb") as file:
    file.write(header + parts + table)
