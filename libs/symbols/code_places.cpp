#include "symbols/code_places.hpp"

#include <bit>

namespace hwtrace {

void append_function_and_offset(const CodePlace& place, TextOutput& out) {
    out.put(place.function->name);
    out.put("+0x");
    const auto digits = static_cast<unsigned>(std::bit_width(place.offset | 1) + 3) / 4;
    out.hex(place.offset, digits);
}

std::string_view base_name(std::string_view file) noexcept {
    return file.substr(file.rfind('/') + 1);
}

}  // namespace hwtrace
