#include "json_drawing.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/number_text.hpp"
#include "model/name_table.hpp"

namespace hwtrace::perfetto {
namespace {

/// Rows become threads: the rows of one parent share a process that has the path of the parent as its name.
class JsonDrawing final : public Drawing {
public:
    JsonDrawing(Output& output, std::string_view title) : output_(output), text_(-1, 2 * buffer_size) {
        text_.put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        rows_.push_back({0, {}});
        parents_.emplace_back(title);
        describe("process_name", 1, 0, title);
    }

    /// Readers keep microseconds as doubles, which are exact to a nanosecond up to 2^43, and nanoseconds as signed
    /// numbers of 64 bits. The last time leaves room for the rounding of a begin and a duration.
    ShownRange times() const override {
        constexpr Tick per_second = 1'000'000'000;
        return {.least = 0,
                .latest = std::numeric_limits<Tick>::max() / per_second * per_second,
                .exact = (Tick{1} << 43) * per_microsecond};
    }

    RowId add(const Row& row) override {
        const auto id = static_cast<RowId>(rows_.size());
        const std::string& parent = parents_[row.parent];
        rows_.push_back({row.parent, std::string(row.name)});
        parents_.push_back(row.parent == root_row ? std::string(row.name) : name_in(parent, row.name));
        if (row.kind == Row::Kind::group)
            describe("process_name", id + 1, 0, parents_.back());
        else if (row.kind == Row::Kind::slices)
            describe("thread_name", row.parent + 1, id, row.name);
        return id;
    }

    NameId name(std::string_view text) override { return names_.add(text); }
    PhraseId phrase(std::string_view text) override { return phrases_.add(text); }

    void slice(const Slice& slice) override {
        begin("X", slice.row, slice.begin);
        text_.put(",\"dur\":");
        put_time(slice.end - slice.begin);
        put_label(slice.label);
        end(slice.arguments);
        for (const ArrowEnd& end : slice.arrows)
            put_flow(end.is_first ? "s" : "f", slice.row, slice.begin, end.arrow);
    }

    void begin_slice(const SliceBegin& slice) override {
        begin("B", slice.row, slice.time);
        text_.put(",\"cat\":");
        append_json_string(phrases_.names()[slice.category], text_);
        put_label({slice.name, {}});
        end(slice.arguments);
    }
    void end_slice(RowId row, Tick time, std::span<const Argument> arguments) override {
        begin("E", row, time);
        end(arguments);
    }

    void instant(RowId row, Tick time, const Label& label, std::span<const Argument> arguments) override {
        begin("i", row, time);
        text_.put(",\"s\":\"t\"");
        put_label(label);
        end(arguments);
    }

    void count(RowId row, Tick time, std::int64_t value) override {
        begin_count(row, time);
        text_.decimal_signed(value);
        text_.put("}}");
        flush_if_full();
    }
    void count(RowId row, Tick time, double value) override {
        begin_count(row, time);
        put_real(value);
        text_.put("}}");
        flush_if_full();
    }

    void finish() override {
        text_.put("\n]}\n");
        flush();
    }

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 18;
    static constexpr Tick per_microsecond = 1000;

    struct NamedRow {
        RowId parent;
        std::string name;
    };

    void separate() {
        text_.put(is_first_ ? "\n" : ",\n");
        is_first_ = false;
    }
    void describe(std::string_view what, RowId process, RowId thread, std::string_view name) {
        separate();
        text_.put("{\"ph\":\"M\",\"name\":\"");
        text_.put(what);
        text_.put("\",\"pid\":");
        text_.decimal(process);
        text_.put(",\"tid\":");
        text_.decimal(thread);
        text_.put(",\"args\":{\"name\":");
        append_json_string(name, text_);
        text_.put("}}");
        flush_if_full();
    }
    void begin(std::string_view phase, RowId row, Tick time) {
        separate();
        text_.put("{\"ph\":\"");
        text_.put(phase);
        text_.put("\",\"pid\":");
        text_.decimal(rows_[row].parent + std::uint64_t{1});
        text_.put(",\"tid\":");
        text_.decimal(row);
        text_.put(",\"ts\":");
        put_time(time);
    }
    void begin_count(RowId row, Tick time) {
        begin("C", row, time);
        text_.put(",\"name\":");
        append_json_string(rows_[row].name, text_);
        text_.put(",\"args\":{\"value\":");
    }
    void put_flow(std::string_view phase, RowId row, Tick time, std::uint64_t id) {
        begin(phase, row, time);
        text_.put(",\"bp\":\"e\",\"cat\":\"relation\",\"name\":\"relation\",\"id\":\"");
        append_hex(id, text_);
        text_.put("\"}");
        flush_if_full();
    }
    /// Writes nanoseconds as microseconds with three decimals.
    void put_time(Tick nanoseconds) {
        text_.decimal_signed(nanoseconds / per_microsecond);
        const auto rest = static_cast<unsigned>(nanoseconds % per_microsecond);
        if (rest == 0) return;
        text_.put('.');
        text_.put(static_cast<char>('0' + rest / 100));
        text_.put(static_cast<char>('0' + rest / 10 % 10));
        text_.put(static_cast<char>('0' + rest % 10));
    }
    void put_label(const Label& label) {
        text_.put(",\"name\":");
        append_json_string(label.name ? std::string_view(names_.names()[*label.name]) : label.text, text_);
    }
    void put_real(double value) {
        if (!std::isfinite(value))
            return text_.put(std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        char digits[32];
        const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
        text_.put({digits, static_cast<std::size_t>(end - digits)});
    }
    void put_value(const Argument& argument) {
        switch (argument.kind) {
            case Argument::Kind::boolean:
                return text_.put(argument.bits != 0 ? "true" : "false");
            case Argument::Kind::number:
                return append_json_integer(argument.bits, JsonIntegers::strings, text_);
            case Argument::Kind::signed_number:
                return append_json_integer(static_cast<std::int64_t>(argument.bits), JsonIntegers::strings, text_);
            case Argument::Kind::real:
                return put_real(std::bit_cast<double>(argument.bits));
            case Argument::Kind::address:
                text_.put('"');
                append_hex(argument.bits, text_);
                return text_.put('"');
            case Argument::Kind::text:
                return append_json_string(argument.text, text_);
            case Argument::Kind::phrase:
                return append_json_string(phrases_.names()[argument.bits], text_);
        }
    }
    void end(std::span<const Argument> arguments) {
        if (!arguments.empty()) text_.put(",\"args\":{");
        for (bool is_first = true; !arguments.empty(); is_first = false) {
            const NameId name = arguments.front().name;
            std::size_t count = 1;
            while (count < arguments.size() && arguments[count].name == name)
                ++count;
            if (!is_first) text_.put(',');
            append_json_string(names_.names()[name], text_);
            text_.put(count == 1 ? ":" : ":[");
            for (std::size_t i = 0; i < count; ++i) {
                if (i != 0) text_.put(',');
                put_value(arguments[i]);
            }
            if (count != 1) text_.put(']');
            arguments = arguments.subspan(count);
            if (arguments.empty()) text_.put('}');
        }
        text_.put('}');
        flush_if_full();
    }
    void flush_if_full() {
        if (text_.text().size() >= buffer_size) flush();
    }
    void flush() {
        output_.append(std::as_bytes(std::span(text_.text())));
        text_.clear();
    }

    Output& output_;
    TextOutput text_;
    bool is_first_ = true;
    NameTable names_, phrases_;
    std::vector<NamedRow> rows_;        ///< by row
    std::vector<std::string> parents_;  ///< by row: its path
};

}  // namespace

std::unique_ptr<Drawing> draw_json(Output& output, std::string_view title) {
    return std::make_unique<JsonDrawing>(output, title);
}

}  // namespace hwtrace::perfetto
