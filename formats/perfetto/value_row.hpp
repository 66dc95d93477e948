// formats/perfetto/value_row.hpp - draws one value over time: numbers as a counter, other values as slices.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "domain/protocols.hpp"
#include "domain/real_values.hpp"
#include "timelines.hpp"

namespace hwtrace::perfetto {

/// One value that lasts until it changes.
class ValueRow {
public:
    /// Adds a row for values of this field.
    ValueRow(Timelines& to, RowId parent, std::string_view name, const Field& field)
        : kind_(!is_counted(field)    ? Row::Kind::slices
                : is_real(field.type) ? Row::Kind::reals
                                      : Row::Kind::integers),
          row_(to.drawing.add({kind_, parent, as_utf8(name)})) {}

    /// Draws a new value at `time`.
    void set(Timelines& to, Tick time, const Field& field, std::uint64_t cell) {
        if (kind_ == Row::Kind::slices) {
            end(to, time);
            text_.clear();
            append_short(to.schema, field, cell, text_);
            begin(time);
        } else if (kind_ == Row::Kind::reals) {
            to.drawing.count(row_, time, real_of(field.type, cell));
        } else if (is_unsigned(field.type) && cell >> 63 != 0) {
            to.drawing.count(row_, time, static_cast<double>(cell));
        } else {
            to.drawing.count(row_, time, static_cast<std::int64_t>(cell));
        }
    }
    /// Draws a list of values at `time`. The row must show slices.
    void set_text(Timelines& to, Tick time, std::string text) {
        end(to, time);
        text_ = std::move(text);
        begin(time);
    }
    /// Draws that the value ends at `time`. A counter keeps its last value.
    void end(Timelines& to, Tick time) {
        if (!std::exchange(is_open_, false)) return;
        Slice slice;
        slice.row = row_;
        slice.begin = since_;
        slice.end = std::max(since_, time);
        slice.label.text = text_;
        to.drawing.slice(slice);
    }

private:
    static bool is_unsigned(Type type) noexcept { return type == Type::u64; }
    void begin(Tick time) noexcept {
        since_ = time;
        is_open_ = true;
    }

    Row::Kind kind_;
    RowId row_;
    bool is_open_ = false;
    Tick since_ = 0;
    std::string text_;
};

}  // namespace hwtrace::perfetto
