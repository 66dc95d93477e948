// views/function_profile.hpp - how many instructions each function of a program executes, and how often it is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "domain/call_tree.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

struct FunctionProfile {
    struct Function : CallTree::Totals {
        Symbols::FunctionId id = Symbols::no_function;  ///< no_function: code without a symbol
    };
    std::vector<Function> functions;   ///< those with the most instructions of their own first, at most 64
    std::uint64_t executed = 0;        ///< number of functions that executed
    std::uint64_t omitted_frames = 0;  ///< instructions in calls deeper than CallStack::most_frames
};

/// Counts the instructions of functions in one pass. All harts and threads count together.
class FunctionProfileMeter {
public:
    /// `schema` must outlive the meter and may grow.
    FunctionProfileMeter(const Schema& schema, std::shared_ptr<const Symbols> symbols)
        : tree_(schema, std::move(symbols)) {}

    void add(const Batch& batch);
    /// Returns the result. Call it once, after the last batch.
    FunctionProfile result();

private:
    static constexpr std::size_t most_listed = 64;

    CallTree tree_;
};

}  // namespace hwtrace
