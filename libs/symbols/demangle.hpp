// symbols/demangle.hpp - readable names of C++ functions.
#pragma once

#include <string>
#include <string_view>

namespace hwtrace {

/// Returns the name as in C++ source, without the version of a symbol ("read@GLIBC_2.2"). Names that are not mangled
/// or might become unreasonably long stay as they are. Control characters become question marks.
std::string demangled(std::string_view raw_name);

}  // namespace hwtrace
