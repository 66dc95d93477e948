#include "protocol_check.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "domain/conventions.hpp"
#include "io/counted.hpp"
#include "model/state.hpp"

namespace hwtrace::uscope {

namespace {

namespace names = conventions;

constexpr std::size_t most_ranges = 65'536;  // total of all tables
constexpr std::size_t most_slots = std::size_t{1} << 20;
constexpr std::uint8_t id_width = 4;

std::string listed(std::span<const std::uint8_t> widths) {
    std::string text;
    for (const std::uint8_t width : widths) {
        if (!text.empty()) text.append(", ");
        text.append(std::to_string(width));
    }
    return text;
}

}  // namespace

void IdRanges::insert(std::uint64_t id) {
    auto next = ranges_.upper_bound(id);
    if (next != ranges_.begin()) {
        const auto before = std::prev(next);
        if (id <= before->second) return;
        if (id - before->second == 1) {
            before->second = id;
            if (next != ranges_.end() && next->first - id == 1) {
                before->second = next->second;
                ranges_.erase(next);
            }
            return;
        }
    }
    std::uint64_t last = id;
    if (next != ranges_.end() && next->first - id == 1) {
        last = next->second;
        next = ranges_.erase(next);
    } else if (ranges_.size() >= most_ranges_) {
        overflowed_ = true;
        return;
    }
    ranges_.emplace_hint(next, id, last);
}

bool IdRanges::contains(std::uint64_t id) const noexcept {
    const auto next = ranges_.upper_bound(id);
    return next != ranges_.begin() && id <= std::prev(next)->second;
}

ProtocolCheck::ProtocolCheck(const Schema& schema, const Preamble& preamble, Findings& findings)
    : schema_(schema), preamble_(preamble), findings_(findings) {
    table_of_.assign(preamble.storages, none);
    meanings_.resize(preamble.events);
    for (const CpuScope& cpu : cpu_scopes(schema))
        add_cpu(cpu);
    for (const NocScope& noc : noc_scopes(schema))
        add_noc(noc);
    for (Table& table : tables_)
        table.created = IdRanges(most_ranges / tables_.size());
}

void ProtocolCheck::report(Check check, std::uint64_t offset, std::string expected, std::string got,
                           std::string where) {
    uscope::report(findings_, check, offset, std::move(expected), std::move(got), {std::move(where), {}, {}});
}

void ProtocolCheck::add_cpu(const CpuScope& cpu) {
    const std::uint64_t offset = preamble_.scope_offset(cpu.scope);
    const std::string where = "scope " + schema_.scopes()[cpu.scope].name;
    if (cpu.entities == none || cpu.entity_id == no_field || cpu.pc == no_field)
        report(Check::protocol_table, offset, "a storage 'entities' with fields 'entity_id' and 'pc'",
               cpu.entities == none ? "no such storage" : "a storage without them", where);
    const Meaning one{none, 1, false, false}, two{none, 2, false, false};
    add(cpu.scope, cpu.entities, cpu.entity_id, cpu.stages.size(),
        {{cpu.stage_transition, names::stage_transition, {id_width, 1}, {none, 1, true, false}, true},
         {cpu.annotate, names::annotate, {id_width, 4}, one, true},
         {cpu.dependency, names::dependency, {id_width, id_width, 1}, two, true},
         {cpu.flush, names::flush, {id_width, 1}, {none, 1, false, true}, true}});
}

void ProtocolCheck::add_noc(const NocScope& noc) {
    const std::uint64_t offset = preamble_.scope_offset(noc.scope);
    const std::string where = "scope " + schema_.scopes()[noc.scope].name;
    const auto fields = {noc.txn_id, noc.opcode,      noc.address,         noc.length,
                         noc.size,   noc.source_port, noc.destination_port};
    if (noc.transactions == none || std::ranges::find(fields, no_field) != fields.end())
        report(Check::protocol_table, offset,
               "a storage 'transactions' with fields txn_id, opcode, addr, len, size, src_port and dst_port",
               noc.transactions == none ? "no such storage" : "a storage without some of them", where);
    const Meaning one{none, 1, false, false};
    add(noc.scope, noc.transactions, noc.txn_id, noc.stages.size(),
        {{noc.stage_transition, names::stage_transition, {id_width, 1}, {none, 1, true, false}, true},
         {noc.beat, "beat", {id_width, 2, 2}, one, false},
         {noc.retry, "retry", {id_width, 1}, one, false},
         {noc.timeout, "timeout", {id_width, 4}, one, false},
         {noc.annotate, names::annotate, {id_width, 4}, one, false}});
}

void ProtocolCheck::add(ScopeId scope, TrackId table, std::uint16_t id_field, std::size_t stages,
                        std::vector<Part> parts) {
    check_clock(scope);
    const bool watched = table != none && id_field != no_field && table_of_[table] == none &&
                         slots_ + schema_.tracks()[table].slots <= most_slots;
    if (watched) {
        const Track& track = schema_.tracks()[table];
        slots_ += track.slots;
        table_of_[table] = static_cast<std::uint32_t>(tables_.size());
        Table& added = tables_.emplace_back();
        added.id_field = id_field;
        added.id_mask = bits_kept(track.fields[id_field]);
        added.stages = stages;
        added.slots.resize(track.slots);
    }
    std::string missing;
    for (Part& part : parts) {
        if (part.event == none) {
            if (part.required) missing += (missing.empty() ? "" : ", ") + std::string(part.name);
            continue;
        }
        check_payload(part);
        part.meaning.table = watched ? table_of_[table] : none;
        const bool has_cells = schema_.tracks()[part.event].fields.size() >= part.payload.size();
        if (watched && has_cells) meanings_[part.event - preamble_.storages] = part.meaning;
    }
    if (!missing.empty())
        report(Check::protocol_events, preamble_.scope_offset(scope), "every event that the protocol needs",
               "no " + missing, "scope " + schema_.scopes()[scope].name);
}

void ProtocolCheck::check_clock(ScopeId scope) {
    const ClockId clock = schema_.scopes()[scope].clock;
    if (clock == none)
        report(Check::protocol_clock, preamble_.scope_offset(scope), "a clock of its own",
               clock_of(schema_, scope) == none ? "none" : "an inherited one", "scope " + schema_.scopes()[scope].name);
}

void ProtocolCheck::check_payload(const Part& part) {
    const std::span<const Field> fields = schema_.tracks()[part.event].fields;
    std::vector<std::uint8_t> widths;
    for (const Field& field : fields.first(std::min(fields.size(), part.payload.size())))
        widths.push_back(static_cast<std::uint8_t>(slot_width(field.type)));
    if (widths != part.payload)
        report(Check::protocol_payload, preamble_.track_offsets[part.event],
               "fields of " + listed(part.payload) + " bytes", listed(widths), "event " + std::string(part.name));
}

void ProtocolCheck::set(std::uint32_t table, std::uint32_t slot, std::uint16_t field, std::uint64_t value,
                        std::uint64_t inner) {
    Table& t = tables_[table];
    if (field != t.id_field) return;
    const std::uint64_t id = value & t.id_mask;
    t.created.insert(id);
    if (slot >= t.slots.size()) return;
    Slot& place = t.slots[slot];
    if (place.taken && place.id == id && !place.flushed) return;
    if (place.taken) {
        if (complete_ && place.flushed)
            flushed_.count(inner);
        else if (complete_)
            taken_.count(inner);
        if (const auto old = t.live.find(place.id); old != t.live.end() && old->second == slot) t.live.erase(old);
    }
    place = {id, true, false};
    t.live.insert_or_assign(id, slot);
}

void ProtocolCheck::clear(std::uint32_t table, std::uint32_t slot) {
    Table& t = tables_[table];
    if (slot >= t.slots.size() || !t.slots[slot].taken) return;
    if (const auto found = t.live.find(t.slots[slot].id); found != t.live.end() && found->second == slot)
        t.live.erase(found);
    t.slots[slot] = {};
}

void ProtocolCheck::event(std::size_t type, std::span<const std::uint64_t> cells, std::uint64_t inner) {
    const Meaning& meaning = meanings_[type];
    if (meaning.table == none) return;
    Table& t = tables_[meaning.table];
    if (complete_ && !t.created.overflowed())
        for (std::size_t i = 0; i < meaning.ids; ++i)
            if (!t.created.contains(cells[i])) unknown_.count(inner);
    if (meaning.stage && t.stages != 0 && cells[1] >= t.stages) stages_.count(inner);
    if (!meaning.flush) return;
    if (const auto found = t.live.find(cells[0]); found != t.live.end()) t.slots[found->second].flushed = true;
}

void ProtocolCheck::end_segment(ByteRange segment, const Place& place) {
    unknown_.report(findings_, Check::entity_unknown, segment, place, "ids of entities created before", "other id",
                    "other ids");
    stages_.report(findings_, Check::stage_unknown, segment, place, "stages with names", "other stage", "other stages");
    taken_.report(findings_, Check::slot_taken, segment, place, "a clear before another entity takes a slot",
                  "slot taken without a clear", "slots taken without a clear");
    flushed_.end_segment(segment, place);
}

void ProtocolCheck::finish(ByteRange segment, const Place& place) {
    flushed_.report(findings_, Check::flush_stays, "a clear for every flush", "flushed entity that kept its slot",
                    "flushed entities that kept their slots");
    if (!complete_) return;
    std::uint64_t left = 0;
    for (const Table& table : tables_)
        left += static_cast<std::uint64_t>(std::ranges::count(table.slots, true, &Slot::flushed));
    if (left != 0)
        uscope::report(findings_, Check::flush_stays, segment, "a clear for every flush",
                       counted(left, "flushed entity that keeps its slot to the end",
                               "flushed entities that keep their slots to the end"),
                       place);
}

}  // namespace hwtrace::uscope
