// formats/o3pipeview/trace_text.hpp - writes instructions as lines of a trace, plain or compressed.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/appender.hpp"
#include "io/output.hpp"
#include "io/packed_output.hpp"
#include "trace.hpp"

namespace hwtrace::o3pipeview {

/// Writes lines to an output in large blocks. The output must outlive the writer.
class TraceText {
public:
    TraceText(Output& output, Container container) : output_(output, container) {}

    /// Returns true if another thread compresses the text.
    bool has_thread() const noexcept { return output_.has_thread(); }

    /// Writes a line of hwtrace: `name`, which ends with a blank, and a number.
    void remark(std::string_view name, std::uint64_t number);
    /// Writes the lines of an instruction. `cpu` is the name in front of each line; empty: none.
    void instruction(const Instruction& instruction, std::string_view label, std::string_view cpu);
    /// Writes everything to the output.
    void finish();

private:
    void begin_line(Tick tick, std::string_view cpu, std::string_view word);
    void decimal(std::uint64_t value);
    void address(std::uint64_t value);
    void flush();

    static constexpr std::size_t piece = 256u << 10;
    PackedOutput output_;
    Appender text_;
};

}  // namespace hwtrace::o3pipeview
