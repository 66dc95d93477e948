// query/reopened_file.hpp - opens a file, or a copy of standard input, as often as needed.
#pragma once

#include <string>

#include "query/query_trace.hpp"

namespace hwtrace {

/// Returns a function that opens the file `path` again. Each call throws Failure::io if another file has taken its
/// place. Standard input ("-") is first copied to an unlinked file in `temporary_folder`.
QueryTrace::Reopen reopened_file(const std::string& path, const std::string& temporary_folder);

}  // namespace hwtrace
