#include "symbols/demangle.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace hwtrace {

namespace {

/// Replaces what terminals take for commands: the control characters of ASCII, and those of Unicode in UTF-8.
std::string printable(std::string name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = static_cast<unsigned char>(name[i]);
        const bool is_control =
            byte < 0x20 || byte == 0x7F ||
            (byte >= 0x80 && byte < 0xA0 && (i == 0 || static_cast<unsigned char>(name[i - 1]) == 0xC2));
        if (is_control) name[i] = '?';
    }
    return name;
}

/// Readable names that could be longer stay mangled. One in 800 names of LLVM could be.
constexpr std::size_t longest = std::size_t{1} << 24;

/// Returns true if the readable name cannot be much longer than `longest`. References to earlier parts, such as S1_ and
/// T_, may each double what precedes them.
bool is_bounded(std::string_view name) noexcept {
    std::size_t length = 0, counted = 0;  // of the readable name, for the characters that are counted
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        if (name[i] != 'S' && name[i] != 'T') continue;
        std::size_t end = i + 1;
        while (end < name.size() && ((name[end] >= '0' && name[end] <= '9') || (name[end] >= 'A' && name[end] <= 'Z')))
            ++end;
        if (end == name.size() || name[end] != '_') continue;
        length = 2 * (length + i - counted);
        counted = i;
        if (length > longest) return false;
    }
    return length + name.size() - counted <= longest;
}

}  // namespace

std::string demangled(std::string_view raw_name) {
    std::string name = printable(std::string(raw_name.substr(0, raw_name.find('@', 1))));
    if (!name.starts_with("_Z") || !is_bounded(name)) return name;
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); }
    };
    int status = 0;
    const std::unique_ptr<char, Free> readable(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
    return status == 0 && readable != nullptr ? std::string(readable.get()) : name;
}

}  // namespace hwtrace
