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

/// Returns how many references to earlier parts a mangled name has, such as S1_ and T_. Each may double its length.
std::size_t references_in(std::string_view name) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        if (name[i] != 'S' && name[i] != 'T') continue;
        std::size_t end = i + 1;
        while (end < name.size() && ((name[end] >= '0' && name[end] <= '9') || (name[end] >= 'A' && name[end] <= 'Z')))
            ++end;
        if (end < name.size() && name[end] == '_') ++count;
    }
    return count;
}

/// Names with more references stay mangled: they could be longer than memory. One in 3000 names of LLVM has more.
constexpr std::size_t most_references = 20;

}  // namespace

std::string demangled(std::string_view raw_name) {
    std::string name = printable(std::string(raw_name.substr(0, raw_name.find('@', 1))));
    if (!name.starts_with("_Z") || references_in(name) > most_references) return name;
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); }
    };
    int status = 0;
    const std::unique_ptr<char, Free> readable(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
    return status == 0 && readable != nullptr ? std::string(readable.get()) : name;
}

}  // namespace hwtrace
