// formats/txlog/log_text.hpp - text to an output, stored as a log is.
#pragma once

#include "io/appender.hpp"
#include "io/packed_output.hpp"

namespace hwtrace::txlog {

/// Collects text and gives it to an output, which outlives it, in large pieces.
class LogText {
public:
    LogText(Output& output, Packing packing) : output_(output, packing) {}

    /// Where text is appended; call end_line() now and then.
    Appender& text() noexcept { return text_; }
    void end_line() {
        text_.le('\n');
        if (text_.size() >= piece) flush();
    }
    /// Everything is with the output.
    void finish() {
        flush();
        output_.finish();
    }

private:
    static constexpr std::size_t piece = 256u << 10;

    void flush() {
        output_.write(text_.span());
        text_.clear();
    }

    PackedOutput output_;
    Appender text_;
};

}  // namespace hwtrace::txlog
