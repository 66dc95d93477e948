// The scan of traces: HEAD, SWTH, OPEN, CLOS and CURR.
#include "scan.hpp"

#include <algorithm>
#include <utility>

#include "domain/value_text.hpp"
#include "encode.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint8_t sync_head = 1;

constexpr bool is_known(std::uint8_t version) noexcept {
    return version == version_4 || version == version_6;
}

}  // namespace

// --- traces ---

Trace& Scan::add_trace(std::uint64_t id) {
    values_.count_object();
    std::unique_ptr<Trace>& place = traces_[id];
    place = std::make_unique<Trace>(id);
    in_order_.push_back(place.get());
    return *place;
}

/// Returns the current trace. If none has begun, creates a trace without a HEAD.
Trace& Scan::trace() {
    if (trace_ != nullptr && trace_->scope != none) [[likely]]
        return *trace_;
    if (trace_ == nullptr) {
        entries_.report(Check::no_head, "a HEAD", "another entry");
        trace_ = &add_trace(0);
    } else {
        entries_.report(Check::trace_undefined, "a HEAD of trace " + std::to_string(trace_->id()), "another entry");
    }
    trace_->scope = schema_.declare(scope_named({}, none, trace_->id()));
    describe(head_key, std::string(no_head));
    return *trace_;
}

void Scan::head(const Entry& entry, Batch& batch) {
    const auto found = traces_.find(entry.item);
    const bool known = found != traces_.end() && found->second->has_head;
    if (known && entry.type == sync_head) {
        trace_ = found->second.get();
        trace_->restated = true;
        return switch_trace(entry.item);
    }
    if (found == traces_.end())
        trace_ = &add_trace(entry.item);
    else
        trace_ = found->second.get();
    if (known || trace_->any_sample) begin_anew(entry, batch);
    trace_->begin(gaps_.count);
    if (trace_->scope == none) trace_->scope = schema_.declare(scope_named(entry.name, none, entry.item));
    trace_->has_head = true;
    trace_->restated = false;
    trace_->late = entry.type == sync_head;
    trace_->version = entry.version;
    trace_->greatest_item = entry.last;
    trace_->longest_entry = entry.number;
    trace_->layout = entries_.layout();
    if (!is_known(entry.version)) entries_.report(Check::version_unknown, "4 or 6", std::to_string(entry.version));
    switch_trace(entry.item);
    if (known) return;
    if (entry.version == version_4) trace_->stated_layout = Layout::emitters_4;
    describe(version_key, std::to_string(entry.version));
    if (entry.magic != magic) describe(magic_key, std::string(entry.magic));
    if (!entry.description.empty()) describe(description_key, std::string(entry.description));
    if (trace_->late) describe(sync_key, "true");
}

/// Restarts a trace at a HEAD between the samples. The HEAD, and the CLOS entries before it, become records.
void Scan::begin_anew(const Entry& entry, Batch& batch) {
    Trace& of = *trace_;
    const auto open = std::ranges::find(of.contexts(), true, &Context::opened);
    of.head_base = open == of.contexts().end() ? ordinals : open->base;
    of.head_time = open == of.contexts().end() ? 0 : open->position;
    keep_closes(batch);
    of.anew = true;
    append_native(&of, of.head_base, of.head_time, entry.whole, batch);
}

/// Appends a record for a repeated definition if it follows a HEAD that restarted the trace. The record has the layout
/// that the metadata state.
void Scan::keep_repeated(const Entry& entry, Batch& batch) {
    if (!trace_->anew || trace_->restated) return;
    std::span<const std::byte> bytes = entry.whole;
    const bool has_layout = entry.tag != Tag::enumeration;
    trace_->keeps_layout = trace_->keeps_layout || has_layout;
    if (has_layout && (bytes.empty() || trace_->layout != trace_->stated_layout)) {
        entry_.clear();
        if (entry.tag == Tag::member)
            append_member_definition(entry_, trace_->stated_layout, entry);
        else
            append_definition(entry_, trace_->stated_layout, entry);
        bytes = entry_.span();
    }
    append_native(trace_, trace_->head_base, trace_->head_time, bytes, batch);
}

/// Like keep_repeated(), for the definition of an item. Replaces a parent that is not a scope with the root.
void Scan::keep_definition(const Entry& entry, Batch& batch) {
    if (entry.parent == 0 || trace_->scope_above(entry.item) != 0) return keep_repeated(entry, batch);
    Entry of_root = entry;
    of_root.parent = 0;
    of_root.whole = {};
    keep_repeated(of_root, batch);
}

/// Appends records for the CLOS entries before a HEAD or OPEN. The last CLOS entries of a stream become metadata.
void Scan::keep_closes(Batch& batch) {
    for (Context* const context : trace_->closed)
        keep_close(*context, batch);
    trace_->closed.clear();
}

void Scan::keep_close(Context& context, Batch& batch) {
    if (!context.end) return;
    entry_.clear();
    append_tag(entry_, Tag::close);
    entry_.leb128(context.item);
    append_signed(entry_, *context.end);
    append_native(trace_, context.base, *context.end, entry_.span(), batch);
    context.end.reset();
}

void Scan::switch_trace(std::uint64_t id) {
    const auto found = traces_.find(id);
    trace_ = found != traces_.end() ? found->second.get() : &add_trace(id);
    values_.set_signed_integers(trace_->version != version_4);
}

void Scan::describe(std::string_view path, std::string value) {
    values_.count_object(1, path.size() + value.size());
    schema_.describe(key_of(trace_->id(), path), std::move(value));
}

void Scan::describe(std::uint64_t item, std::string_view path, std::string value) {
    describe(std::to_string(item) + '.' + std::string(path), std::move(value));
}

// --- positions ---

void Scan::open(const Entry& entry, Batch& batch) {
    Trace& of = trace();
    if (of.restated) return;
    of.late = false;
    const std::string_view domain = entry.name.empty() ? of.default_domain : entry.name;
    const auto base = base_of(domain);
    if (!base) entries_.report(Check::domain_unknown, "a known unit", name_text(domain));
    Context& context = of.context(entry.item);
    const Item* const item = entry.item == 0 ? nullptr : of.find(entry.item);
    const bool any_below = entry.item == 0 ? of.any_sample : item != nullptr && item->sampled_below;
    const bool again = of.anew || context.opened || any_below;
    if (again) keep_closes(batch);
    context.opened = true;
    context.closed = context.reported_behind_close = false;
    context.place(entry.position, gaps_);
    context.last = entry.position;
    context.base = base.value_or(ordinals);
    of.renew();
    if (again) {
        entry_.clear();
        append_tag(entry_, Tag::open);
        entry_.leb128(entry.item);
        append_text(entry_, domain);
        append_signed(entry_, entry.position);
        append_unsigned(entry_, entry.rate);
        append_native(&of, context.base, entry.position, entry_.span(), batch);
        return;
    }
    const std::string path = std::string(open_key) + std::to_string(entry.item) + '.';
    describe(path + std::string(domain_key), std::string(domain));
    if (entry.position != 0) describe(path + std::string(start_key), std::to_string(entry.position));
    if (entry.rate != 0) describe(path + std::string(rate_key), std::to_string(entry.rate));
}

void Scan::close(const Entry& entry, Batch& batch) {
    Trace& of = trace();
    Context& context = of.context(entry.item);
    if (context.settle(gaps_) == Context::Known::yes && entry.position < context.last)
        entries_.report(Check::close_early, "at least " + std::to_string(context.last), std::to_string(entry.position));
    if (context.closed) {  // metadata hold only one CLOS per item
        keep_close(context, batch);
        std::erase(of.closed, &context);
    }
    context.closed = true;
    if (!context.end) of.closed.push_back(&context);
    context.end = entry.position;
}

void Scan::current(const Entry& entry) {
    Trace& of = trace();
    Item* const item = entry.item == 0 ? nullptr : of.find(entry.item);
    Context& context = item == nullptr ? of.context(entry.item) : of.context_of(*item);
    if (context.settle(gaps_) == Context::Known::yes && entry.position < context.position)
        entries_.report(Check::position_back, "at least " + std::to_string(context.position),
                        std::to_string(entry.position));
    context.place(entry.position, gaps_);
    of.late = false;
}

}  // namespace hwtrace::flux
