// formats/kanata/log_text.hpp - writes commands as lines of a log, plain or compressed.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/appender.hpp"
#include "io/output.hpp"
#include "io/packed_output.hpp"

namespace hwtrace::kanata {

/// Writes lines to an output in large blocks. The output must outlive the writer.
class LogText {
public:
    LogText(Output& output, Container container) : output_(output, container) {}

    /// Returns true if another thread compresses the text.
    bool has_thread() const noexcept { return output_.has_thread(); }

    /// `remark` is a third column; empty: none.
    void header(std::string_view version, std::string_view remark);
    void line(std::string_view text);
    void start_cycle(std::int64_t cycle);
    void advance(std::int64_t cycles);
    void begin(std::uint32_t id, std::uint64_t simulator_id, std::uint64_t thread);
    /// Writes newlines in `text` as `\n`.
    void label(std::uint32_t id, std::uint64_t type, std::string_view text);
    void stage(char command, std::uint32_t id, std::uint64_t lane, std::string_view name);
    void retire(std::uint32_t id, std::uint64_t retire_id, std::uint64_t type);
    void dependency(std::uint32_t consumer, std::uint32_t producer, std::uint64_t type);
    /// Writes everything to the output.
    void finish();

private:
    void command(char letter) {
        if (text_.size() >= piece) flush();
        text_.le(letter);
    }
    void column(std::uint64_t value);
    void column_text(std::string_view text) {
        text_.le('\t');
        text_.text(text);
    }
    void flush();

    static constexpr std::size_t piece = 256u << 10;
    PackedOutput output_;
    Appender text_;
};

}  // namespace hwtrace::kanata
