#include "symbols/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace hwtrace {

std::string demangled(std::string_view raw_name) {
    std::string name(raw_name.substr(0, raw_name.find('@', 1)));
    if (!name.starts_with("_Z")) return name;
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); }
    };
    int status = 0;
    const std::unique_ptr<char, Free> readable(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
    return status == 0 && readable != nullptr ? std::string(readable.get()) : name;
}

}  // namespace hwtrace
