"""Decompresses LZ4 blocks."""


def block(data, size=None):
    """Returns the contents of a block. `size` is their expected length."""
    out = bytearray()
    at = 0

    def length(at, value):
        if value == 15:
            more = 255
            while more == 255:
                more = data[at]
                at += 1
                value += more
        return at, value

    while at < len(data):
        token = data[at]
        at, literals = length(at + 1, token >> 4)
        out += data[at:at + literals]
        at += literals
        if at == len(data):
            break
        distance = data[at] | data[at + 1] << 8
        at, match = length(at + 2, token & 15)
        if not 0 < distance <= len(out):
            raise ValueError(f"LZ4: distance {distance} at {at} of a block")
        for _ in range(match + 4):
            out.append(out[-distance])
    if size is not None and len(out) != size:
        raise ValueError(f"LZ4: {len(out)} bytes instead of {size}")
    return bytes(out)
