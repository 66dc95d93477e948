// formats/txlog/log_text.hpp - writes text to an output in the container of the log.
#pragma once

#include "io/appender.hpp"
#include "io/packed_output.hpp"

namespace hwtrace::txlog {

/// Buffers text and writes it to the output in large pieces. The output must outlive this object.
class LogText {
public:
    LogText(Output& output, Container container) : output_(output, container) {}

    /// Returns true if another thread compresses the text.
    bool has_thread() const noexcept { return output_.has_thread(); }

    /// Returns the buffer to append to. Call end_line() after each line.
    Appender& text() noexcept { return text_; }
    void end_line() {
        text_.le('\n');
        if (text_.size() >= piece) flush();
    }
    /// Writes the remaining text and completes the output.
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
