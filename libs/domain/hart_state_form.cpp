// domain/hart_state_form.cpp - the state of a hart as bytes (HartState::save and HartState::restore).
#include <algorithm>
#include <utility>

#include "domain/hart_state.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"

namespace hwtrace {

namespace {

void append_cells(std::span<const std::uint64_t> cells, Appender& out) {
    out.leb128(cells.size());
    for (const std::uint64_t cell : cells)
        out.le(cell);
}

std::vector<std::uint64_t> cells_of(Cursor& in) {
    const std::uint64_t count = in.leb128();
    Cursor cells(in.take(static_cast<std::size_t>(std::min<std::uint64_t>(count, in.left()) * sizeof(std::uint64_t))));
    std::vector<std::uint64_t> values;
    while (!cells.at_end())
        values.push_back(cells.le<std::uint64_t>());
    return values;
}

[[noreturn]] void refuse_state() {
    fail(Failure::input, "the bytes are not the state of a hart");
}

/// Throws Failure::input if no event of `track` has these cells: other events could not be read or written.
void check_cells(const Schema& schema, TrackId track, std::span<const std::uint64_t> cells) {
    if (track == none) refuse_state();
    const std::vector<Field>& fields = schema.tracks()[track].fields;
    const std::size_t fixed = schema.tracks()[track].fixed_fields(), row = fields.size() - fixed;
    if (cells.size() < fixed || (cells.size() - fixed) % std::max<std::size_t>(row, 1) != 0) refuse_state();
    if (row == 0 && cells.size() != fixed) refuse_state();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Field& field = fields[i < fixed ? i : fixed + (i - fixed) % row];
        if (holds_text(field.type) && cells[i] != 0 && cells[i] >= schema.string_count()) refuse_state();
    }
}

}  // namespace

void HartState::save(Appender& out) const {
    for (const Event& event : events_)
        append_cells(event.now, out);
    append_cells(mode_event_.now, out);
    out.leb128(mode_);
    out.leb128(
        static_cast<std::uint64_t>(std::ranges::count_if(registers_, [](const Register& one) { return one.known; })));
    std::size_t next = 0;
    for (std::size_t place = 0; place < registers_.size(); ++place) {
        const Register& one = registers_[place];
        if (!one.known) continue;
        out.leb128(place - next);
        next = place + 1;
        const std::size_t vector = place - 2 * registers_of_class;  // wraps around for other classes
        if (vector < registers_of_class)
            append_cells(vectors_[vector], out);
        else
            out.le(one.value);
    }
    const auto append_walk = [&](const Walk& walk) {
        out.leb128(walk.number);
        append_cells(walk.cells, out);
    };
    out.leb128(walks_.size());
    for (const auto& [page, walk] : walks_) {
        out.leb128(page.space);
        out.le(page.address);
        append_walk(walk);
    }
    out.leb128(group_walks_.size());
    for (const Walk& walk : group_walks_)
        append_walk(walk);
    out.leb128(next_walk_);
}

void HartState::restore(Cursor& in) {
    const auto restore_event = [&](Event& event) {
        event.now = cells_of(in);
        if (!event.now.empty()) check_cells(schema_, event.track, event.now);
    };
    for (Event& event : events_)
        restore_event(event);
    restore_event(mode_event_);
    mode_ = in.leb128();
    std::size_t next = 0;
    untold_.clear();
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t skipped = in.leb128();
        if (skipped >= registers_.size() - next) refuse_state();
        const std::size_t place = next + static_cast<std::size_t>(skipped);
        next = place + 1;
        const std::size_t vector = place - 2 * registers_of_class;
        registers_[place].known = true;
        if (vector < registers_of_class) {
            vectors_[vector] = cells_of(in);
            vector_bytes_ += vectors_[vector].size() * sizeof(std::uint64_t);
        } else {
            registers_[place].value = in.le<std::uint64_t>();
        }
        untold_.push_back(static_cast<std::uint16_t>(place));
    }
    check_limit(vector_bytes_, most_bytes_, "the state of vector registers before a slice", "--max-record");
    const auto walk_of = [&] {
        Walk walk;
        walk.number = in.leb128();
        walk.cells = cells_of(in);
        if (walk.cells.size() < 3) refuse_state();
        check_cells(schema_, walk_, walk.cells);
        return walk;
    };
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        Page page;
        page.space = in.leb128();
        page.address = in.le<std::uint64_t>();
        Walk walk = walk_of();
        walk_bytes_ += walk.cells.size() * sizeof(std::uint64_t);
        walks_.insert_or_assign(page, std::move(walk));
    }
    for (std::uint64_t left = in.leb128(); left > 0; --left)
        group_walks_.push_back(walk_of());
    next_walk_ = in.leb128();
}

}  // namespace hwtrace
