// cli/joint_output.hpp - makes one output of several traces: what merging and putting shards together have in common.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/merge_command.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"

namespace hwtrace::cli {

constexpr std::string_view merge_tool = "hwtrace-merge";

/// One of the traces while it is read.
struct JointTrace {
    explicit JointTrace(TraceFile file) : trace(std::move(file)) {}
    TraceFile trace;
    Settings settings{};
    Choices choices{};
    Findings findings{findings_shown_per_rule};
    Findings reported{0};  ///< of the second reading, for --verify
    std::unique_ptr<PreparedSource> source{};
};

class JointOutput {
public:
    /// The arguments must outlive the object.
    JointOutput(const MergeOptions& options, const Format& to, Messages& messages)
        : options_(options), to_(to), messages_(messages) {}
    virtual ~JointOutput() = default;

protected:
    /// Opens the next trace.
    JointTrace& add(const std::string& path);
    /// Writes the output and reports losses and findings. `from`: see Settings::source_format. `file` names all traces
    /// in messages.
    Exit run(std::string_view from, const std::string& file);

    /// Converts all traces. Without an output, prints the plan instead.
    virtual void convert_all(Output* output, const Choices& choices, ConversionCounts& counts) = 0;
    /// Compares `written` with the traces, which are read once more.
    virtual std::optional<ModelDifference> compare(Input& written, const Choices& choices, Findings& findings) = 0;

    const MergeOptions& options_;
    const Format& to_;
    Messages& messages_;
    std::deque<JointTrace> traces_;
    std::uint64_t size_ = 0;  ///< of all traces in bytes
    std::string file_;        ///< the traces in messages
    Losses losses_;

private:
    bool verify(Output& output, const Choices& choices, Effect effect);

    std::vector<std::optional<Input::Identity>> identities_;
};

}  // namespace hwtrace::cli
