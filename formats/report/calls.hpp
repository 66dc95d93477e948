// formats/report/calls.hpp - the functions of a program: totals, and the tree of calls that the page draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/call_tree.hpp"
#include "json_stream.hpp"

namespace hwtrace::report {

/// Collects the calls of a trace. Without symbols, it collects nothing.
class Calls {
public:
    static constexpr std::size_t most_functions = 2000;  ///< that the page lists
    static constexpr std::size_t most_paths = 5000;      ///< that the page draws

    /// `schema` must outlive this object. `symbols` may be null.
    Calls(const Schema& schema, const std::shared_ptr<const Symbols>& symbols) {
        if (symbols) tree_.emplace(schema, symbols);
    }

    void lose() {
        if (tree_) tree_->lose();
    }
    void add(const Batch& batch, const Record& record) {
        if (tree_) tree_->add(record, batch);
    }
    void finish() {
        if (tree_) tree_->finish();
    }
    /// Writes the member "calls" if instructions were executed: names of functions, their totals, and the paths with
    /// the most instructions.
    void write(JsonStream& json) const;

private:
    class Names;
    void write_functions(JsonStream& json, Names& names) const;
    void write_paths(JsonStream& json, Names& names) const;

    std::optional<CallTree> tree_;
};

/// Returns "function+0x1c (file:12)", as far as it is known, or an empty text. `symbols` may be null.
std::string place_text(const Symbols* symbols, std::uint64_t pc);

}  // namespace hwtrace::report
