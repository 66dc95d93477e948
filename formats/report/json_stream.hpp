// formats/report/json_stream.hpp - writes the data of a page as JSON that no text of a trace can break out of.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "domain/value_text.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"

namespace hwtrace::report {

/// Streams one JSON value to an output. Every `<` is written as \u003c, so that the JSON can stand in a script element.
/// Integers beyond 2^53 are written as strings, because JavaScript would round them.
class JsonStream {
public:
    explicit JsonStream(Output& output) : output_(output), text_(-1, 2 * buffer_size) {}

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    /// Begins a member of an object.
    void key(std::string_view name) {
        separate();
        append_json_string(name, text_);
        text_.put(':');
        is_first_ = true;
    }
    void text(std::string_view value) {
        separate();
        append_json_string(value, text_);
    }
    void number(std::unsigned_integral auto value) {
        separate();
        append_json_integer(std::uint64_t{value}, JsonIntegers::strings, text_);
    }
    void number(std::signed_integral auto value) {
        separate();
        append_json_integer(std::int64_t{value}, JsonIntegers::strings, text_);
    }
    void boolean(bool value) {
        separate();
        text_.put(value ? "true" : "false");
    }
    void null() {
        separate();
        text_.put("null");
    }
    /// Writes a double in the shortest form that reads back equal. Infinities and NaN become strings.
    void real(double value);

    // A key and its value.
    void member(std::string_view name, std::string_view value) {
        key(name);
        text(value);
    }
    void member(std::string_view name, std::integral auto value) {
        key(name);
        number(value);
    }
    void member(std::string_view name, bool value) {
        key(name);
        boolean(value);
    }
    void array(std::string_view name) {
        key(name);
        begin_array();
    }
    void object(std::string_view name) {
        key(name);
        begin_object();
    }
    /// Writes all buffered text to the output.
    void flush();

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 18;

    void open(char bracket) {
        separate();
        text_.put(bracket);
        is_first_ = true;
    }
    void close(char bracket) {
        text_.put(bracket);
        is_first_ = false;
    }
    void separate() {
        if (!is_first_) text_.put(',');
        is_first_ = false;
        if (text_.text().size() >= buffer_size) flush();
    }

    Output& output_;
    TextOutput text_;
    bool is_first_ = true;
};

}  // namespace hwtrace::report
