#include "scan.hpp"

#include <algorithm>
#include <utility>

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "names.hpp"

namespace hwtrace::flux {

Scan::Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema, EntryListener* listener)
    : settings_(settings),
      findings_(findings),
      schema_(schema),
      listener_(listener),
      check_(settings.check >= CheckLevel::full),
      entries_((input.seekable() ? input.seek(0) : void(), input), settings, findings),
      values_(schema, entries_, settings),
      lanes_(schema, entries_, values_, settings) {
    Batch nothing;
    while (entries_.next(pending_)) {
        if (entries_.has_gap()) count_gap(entries_.take_gap());
        if (pending_.tag == Tag::sample && is_mark(pending_)) {
            take(pending_, nothing);
            continue;
        }
        if (pending_.tag == Tag::sample || pending_.tag == Tag::relation || pending_.tag == Tag::label) {
            has_pending_ = true;
            end_early();
            return;
        }
        take_heard(pending_, nothing);
        if (early_.size() >= Batch::target_records || early_bytes_ >= Batch::target_elements) {
            end_early();
            return;
        }
    }
    if (traces_.empty()) fail_without_trace(input.name());
    finish();
}

/// Throws a failure that explains why the file has no trace.
void Scan::fail_without_trace(const std::string& file) {
    using enum Entries::Ending;
    const Entries::Ending ending = entries_.ending();
    if ((ending == cut || ending == damaged) && entries_.begins_well())
        fail(Failure::input, file + (ending == cut ? ": the stream ends inside its first entry"
                                                   : ": the stream is damaged before its first entry ends"));
    if (ending != not_flux) entries_.report(Check::not_flux, "a HEAD", "none");
    fail(Failure::input, file + ": not a flux stream");
}

void Scan::end_early() {
    is_early_ = false;
    declare_all();
    note_opened();
}

bool Scan::read(Batch& batch) {
    for (const Early& record : early_)
        append_native(record.of, record.base, record.time, record.bytes, batch);
    early_.clear();
    if (has_pending_) {
        has_pending_ = false;
        take_heard(pending_, batch);
    }
    while (!ended_ && !batch.full()) {
        if (listener_ != nullptr) {
            if (next()) take_heard(pending_, batch);
            continue;
        }
        const bool prepares = trace_ != nullptr && lanes_.run(*trace_, gaps_, batch, samples_);
        if (batch.full() || !next()) continue;
        if (pending_.tag != Tag::sample) {
            take(pending_, batch);
            continue;
        }
        sample(pending_, batch);
        if (prepares) lanes_.prepare(*trace_, gaps_, pending_);
    }
    return !batch.empty();
}

/// Reads the next entry. Returns false at the end of the stream, after finish().
bool Scan::next() {
    if (!entries_.next(pending_)) {
        finish();
        return false;
    }
    if (entries_.has_gap()) [[unlikely]]
        count_gap(entries_.take_gap());
    return true;
}

void Scan::take_heard(const Entry& entry, Batch& batch) {
    const std::size_t before = early_.size() + batch.records().size();
    take(entry, batch);
    const std::size_t made = early_.size() + batch.records().size() - before;
    if (listener_ == nullptr || made == 0) return;
    listener_->made(entries_, trace_ == nullptr ? 0 : trace_->id(), entry, made);
}

void Scan::take(const Entry& entry, Batch& batch) {
    if (check_ && trace_ != nullptr && trace_->longest_entry != 0 && entries_.size() > trace_->longest_entry)
        entries_.report(Check::entry_long, "at most " + counted(trace_->longest_entry, "byte"),
                        std::to_string(entries_.size()));
    const bool is_plain = entry.tag == Tag::sample || entry.tag == Tag::relation || entry.tag == Tag::label ||
                          entry.tag == Tag::current || entry.tag == Tag::switch_trace || entry.tag == Tag::section;
    if (!is_plain) is_late_ = is_late_ || !is_early_;
    switch (entry.tag) {
        case Tag::sample:
            return sample(entry, batch);
        case Tag::head:
            return head(entry, batch);
        case Tag::switch_trace:
            return switch_trace(entry.item);
        case Tag::scope:
        case Tag::signal:
        case Tag::signals:
        case Tag::scattered:
            return define(entry, batch);
        case Tag::reference:
        case Tag::scattered_reference:
            return refer(entry, batch);
        case Tag::open:
            return open(entry, batch);
        case Tag::close:
            return close(entry, batch);
        case Tag::domain:
            trace().default_domain = entry.name;
            return;
        case Tag::current:
            return current(entry);
        case Tag::enumeration:
            return label(entry, batch);
        case Tag::member:
            return member(entry, batch);
        case Tag::relation:
        case Tag::label:
            return attached(entry, batch);
        case Tag::request:
        case Tag::result:
            return control(entry, batch);
        case Tag::packed:
        case Tag::section:
            return;
    }
}

// --- the end ---

void Scan::finish() {
    if (ended_) return;
    ended_ = true;
    end_early();
    for (auto& [id, of] : traces_) {
        trace_ = of.get();
        describe_unused_labels();
        bool reported = false;
        for (const Context* const context : of->closed)
            describe(std::string(close_key) + std::to_string(context->item), std::to_string(*context->end));
        for (const Context& context : of->contexts()) {
            if (!context.opened || context.closed || reported) continue;
            entries_.report(Check::not_closed, "CLOS of item " + std::to_string(context.item), "the end");
            reported = true;
        }
    }
}

/// Stores unused labels as metadata. No value, relation entry or label entry uses them.
void Scan::describe_unused_labels() {
    std::map<std::uint64_t, const Item*> by_id;
    for (const Item& item : trace_->items())
        if (!item.is_mark && !item.labels.empty()) by_id.emplace(item.id, &item);
    for (const auto& [id, item] : by_id)
        for (const auto& [use, labels] : item->labels)
            for (std::size_t place = 0; place < labels.values().size(); ++place)
                if (const EnumValue& label = labels.values()[place]; !labels.is_used(place))
                    describe(id, std::string(label_key) + std::to_string(use) + '.' + std::to_string(label.value),
                             label.name);
}

Facts Scan::facts() const {
    Facts facts;
    std::string versions;
    for (const auto& [id, of] : traces_)
        if (of->has_head) versions.append(versions.empty() ? "" : ",").append(std::to_string(of->version));
    facts.emplace_back("version", versions.empty() ? "unknown" : versions);
    if (std::ranges::any_of(traces_, [](const auto& of) { return of.second->layout == Layout::impulse_3; }))
        facts.emplace_back("layout", std::string(name_of(Layout::impulse_3)));
    facts.emplace_back("traces", traces_.size());
    std::size_t items = 0;
    for (const auto& [id, of] : traces_)
        items += of->items().size();
    facts.emplace_back("items", items);
    if (entries_.packing() != Packing::plain) facts.emplace_back("container", std::string(name_of(entries_.packing())));
    if (!ended_) return facts;  // counts are complete only at the end
    facts.emplace_back("samples", samples_);
    const Entries::Counts& counts = entries_.counts();
    if (counts.blocks != 0) {
        facts.emplace_back("blocks", counts.blocks);
        facts.emplace_back("packed_bytes", counts.packed_bytes);
        facts.emplace_back("unpacked_bytes", counts.raw_bytes);
    }
    if (counts.sections != 0) facts.emplace_back("sections", counts.sections);
    if (lost_samples_ != 0) facts.emplace_back("samples_without_position", lost_samples_);
    return facts;
}

}  // namespace hwtrace::flux
