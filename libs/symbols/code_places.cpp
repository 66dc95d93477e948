#include "symbols/code_places.hpp"

#include <bit>

namespace hwtrace {

void append_function_and_offset(const CodePlace& place, TextOutput& out) {
    out.put(place.function->name);
    out.put("+0x");
    const auto digits = static_cast<unsigned>(std::bit_width(place.offset | 1) + 3) / 4;
    out.hex(place.offset, digits);
}

void append_place_comment(const CodePlace& place, TextOutput& out) {
    if (place.function == nullptr) return out.put("# ?");
    out.put("# ");
    append_function_and_offset(place, out);
    if (place.file.empty()) return;
    out.put(' ');
    for (const char c : place.file.substr(place.file.rfind('/') + 1))
        out.put(static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c);  // not a command for a terminal
    out.put(':');
    out.decimal(place.line);
}

}  // namespace hwtrace
