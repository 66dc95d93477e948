// formats/flux/saved_place.cpp - saves and restores a place of a stream whose definitions precede its samples, for the
// checkpoints of an index.
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "codec/schema_state.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "scan.hpp"

namespace hwtrace::flux {

namespace {

[[noreturn]] void refuse_place() {
    fail(Failure::input, "the state states a place that the stream lacks");
}

std::uint8_t flags_of(std::initializer_list<bool> flags) noexcept {
    unsigned bits = 0;
    for (const bool flag : flags)
        bits = bits << 1 | (flag ? 1u : 0u);
    return static_cast<std::uint8_t>(bits);
}

void set_flags(std::uint8_t bits, std::initializer_list<bool*> flags) noexcept {
    for (auto flag = std::rbegin(flags); flag != std::rend(flags); ++flag, bits = static_cast<std::uint8_t>(bits >> 1))
        **flag = (bits & 1u) != 0;
}

}  // namespace

// --- entries ---

bool Entries::save_place(std::uint64_t trace, Appender& out) const {
    if (ended_ || gap_ != Gap::none || depth_ > 1 || depth_ != packed_ || counts_.sections != 0) return false;
    // A block is unpacked again.
    const std::uint64_t at = depth_ == 0 ? cursor_.offset() : block_at_;
    out.leb128(trace);
    out.leb128(at);
    out.leb128(depth_ == 0 ? 0 : cursor_.offset() + 1);
    for (const std::uint64_t count : {counts_.blocks, counts_.raw_bytes, counts_.packed_bytes})
        out.leb128(count);
    unpacked_.save_place(at, out);
    return true;
}

std::optional<std::uint64_t> Entries::restore_place(Cursor& in) {
    const std::uint64_t trace = in.leb128(), at = in.leb128(), inside = in.leb128();
    for (std::uint64_t* const count : {&counts_.blocks, &counts_.raw_bytes, &counts_.packed_bytes})
        *count = in.leb128();
    const auto raw_offset = unpacked_.restore_place(in);
    if (!raw_offset) return std::nullopt;
    if (*raw_offset > at || !layouts_.contains(trace)) refuse_place();
    layout_ = &layouts_[trace];
    window_.restart(*raw_offset);
    while (window_.offset() < at) {
        const std::size_t there = window_.peek(1).size();
        if (there == 0) refuse_place();
        window_.consume(static_cast<std::size_t>(std::min<std::uint64_t>(there, at - window_.offset())));
    }
    depth_ = packed_ = 0;
    gap_ = Gap::none;
    ended_ = false;
    ending_ = Ending::whole;
    cursor_ = Cursor(window_.peek(1), window_.offset());
    if (inside == 0) return trace;
    // The block was counted before.
    const Counts counted_before = counts_;
    Entry block;
    EntryFault fault;
    for (bool is_whole = false; !is_whole;) {
        entry_at_ = cursor_.offset();
        Cursor parsed = cursor_;
        try {
            if (!parse_entry(parsed, layout(), block, fault) || block.tag != Tag::packed) refuse_place();
            cursor_ = parsed;
            is_whole = true;
        } catch (const Truncated& truncated) {
            const std::uint64_t wanted = truncated.offset() - entry_at_ + truncated.needed();
            if (wanted > limits_.block || !need(wanted)) refuse_place();
        }
    }
    open_block(block);
    counts_ = counted_before;
    if (depth_ != 1 || inside - 1 > cursor_.left()) refuse_place();
    cursor_.skip(static_cast<std::size_t>(inside - 1));
    return trace;
}

// --- the scan ---

/// Notes what the schema holds before the first sample.
void Scan::note_opened() {
    opened_ = {schema_.scopes().size(), schema_.enums().size(),    schema_.added_labels().size(),
               schema_.tracks().size(), schema_.metadata().size(), schema_.added_attributes().size()};
}

/// Returns true if everything but samples precedes the samples so far, so that another scan knows it from the start.
bool Scan::has_plain_state() const {
    const Opened now{schema_.scopes().size(), schema_.enums().size(),    schema_.added_labels().size(),
                     schema_.tracks().size(), schema_.metadata().size(), opened_.attributes};
    return !is_early_ && early_.empty() && !has_pending_ && !ended_ && !is_late_ && gaps_.count == 0 &&
           now == opened_ && trace_ != nullptr;
}

bool Scan::save_place(Appender& out) const {
    if (!has_plain_state()) return false;
    for (const auto& [id, of] : traces_)
        for (const Context& context : of->contexts())
            if (context.known != Context::Known::yes) return false;
    if (!entries_.save_place(trace_->id(), out)) return false;
    append_attributes(schema_, opened_.attributes, out);
    for (const std::uint64_t count : {samples_, lost_samples_, controls_seen_, references_})
        out.leb128(count);
    for (const auto& [id, of] : traces_)
        save_trace(*of, out);
    return true;
}

void Scan::save_trace(Trace& of, Appender& out) {
    out.le(flags_of({of.any_sample, of.late, of.restated}));
    out.leb128(of.contexts().size());
    for (const Context& context : of.contexts()) {
        out.leb128(context.item);
        out.le(flags_of({context.reported_not_open, context.reported_behind_close}));
        out.le(context.position);
        out.le(context.last);
    }
    out.leb128(of.items().size());
    for (const Item& item : of.items()) {
        out.leb128(item.id);
        out.le(flags_of({item.sampled, item.sampled_below, item.reported_sign}));
        out.le(item.last);
        out.leb128(item.labels.size());
        for (const auto& [domain, labels] : item.labels) {
            out.leb128(domain);
            out.le(flags_of({labels.used}));
            out.leb128(labels.values().size());
            for (std::size_t place = 0; place < labels.values().size(); ++place)
                out.le(flags_of({labels.was_used(place)}));
        }
    }
}

bool Scan::restore_place(Cursor& in) {
    if (is_early_ || ended_ || !early_.empty()) return false;
    const auto trace = entries_.restore_place(in);
    if (!trace) return false;
    if (!traces_.contains(*trace)) refuse_place();
    switch_trace(*trace);
    has_pending_ = false;
    restore_attributes(schema_, in);
    for (std::uint64_t* const count : {&samples_, &lost_samples_, &controls_seen_, &references_})
        *count = in.leb128();
    for (auto& [id, of] : traces_)
        restore_trace(*of, in);
    return true;
}

void Scan::restore_trace(Trace& of, Cursor& in) {
    set_flags(in.le<std::uint8_t>(), {&of.any_sample, &of.late, &of.restated});
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t opened_item = in.leb128();
        if (opened_item != 0 && of.find(opened_item) == nullptr) refuse_place();
        Context& context = of.context(opened_item);
        set_flags(in.le<std::uint8_t>(), {&context.reported_not_open, &context.reported_behind_close});
        context.place(in.le<Tick>(), gaps_);
        context.last = in.le<Tick>();
    }
    if (in.leb128() != of.items().size()) refuse_place();
    for (Item& item : of.items()) {
        if (in.leb128() != item.id) refuse_place();
        set_flags(in.le<std::uint8_t>(), {&item.sampled, &item.sampled_below, &item.reported_sign});
        item.last = in.le<Tick>();
        item.gaps = gaps_.count;
        if (in.leb128() != item.labels.size()) refuse_place();
        for (auto& [domain, labels] : item.labels) {
            if (in.leb128() != domain) refuse_place();
            set_flags(in.le<std::uint8_t>(), {&labels.used});
            if (in.leb128() != labels.values().size()) refuse_place();
            for (std::size_t place = 0; place < labels.values().size(); ++place)
                if (in.le<std::uint8_t>() != 0) labels.use(labels.values()[place].value);
        }
    }
    of.renew();
}

}  // namespace hwtrace::flux
