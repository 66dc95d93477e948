// query/trace_module.hpp - the tables of traces as virtual tables of SQLite.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "query/query_trace.hpp"

struct sqlite3;

namespace hwtrace {

/// The name of the module: CREATE VIRTUAL TABLE … USING hwtrace(…).
inline constexpr const char* trace_module_name = "hwtrace";

/// The data that all virtual tables of a connection use.
struct TraceModule {
    /// A table of a trace.
    struct Place {
        std::shared_ptr<QueryTrace> trace;
        std::size_t table = 0;
    };
    /// Returns the table that the arguments of CREATE VIRTUAL TABLE name. Throws Error.
    std::function<Place(std::span<const char* const> arguments)> find;
    /// The last exception of a virtual table. SQLite reports its text only.
    std::exception_ptr error{};
};

/// Registers the module at a connection. The connection takes over `module` and deletes it when it is closed.
void register_trace_module(sqlite3* connection, std::unique_ptr<TraceModule> module);

}  // namespace hwtrace
