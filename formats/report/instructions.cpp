#include "instructions.hpp"

#include <algorithm>
#include <limits>

#include "details.hpp"
#include "domain/cycle_scale.hpp"
#include "domain/protocols.hpp"
#include "durations.hpp"
#include "io/number_text.hpp"

namespace hwtrace::report {

Instructions::Hart& Instructions::hart_of(const Record& instruction) {
    std::unique_ptr<Hart>& hart = harts_[instruction.track];
    if (hart == nullptr) {
        const Track& track = schema_.tracks()[instruction.track];
        hart = std::make_unique<Hart>();
        hart->row =
            chart_.add_row(instruction.track, track.name,
                           track.time.kind == TimeBase::Kind::ordinal ? Row::Counting::never : Row::Counting::once);
        hart->first = instruction.time;
    }
    return *hart;
}

void Instructions::add(const Batch& batch, const Record& record) {
    Hart& hart = hart_of(record);
    const Instruction& instruction = batch.instruction(record);
    const Tick time = times_.at(record.track, record.time);
    const bool counts = schema_.tracks()[record.track].time.kind == TimeBase::Kind::ordinal;
    const bool follows_gap = counts && time != hart.end;
    const bool is_elsewhere = record.value != hart.next_pc;  // as after an interrupt
    if (hart.run.instructions != 0 && (is_elsewhere || follows_gap)) end_run(hart);
    if (hart.run.instructions == 0) {
        hart.pc = record.value;
        hart.begin = time;
    }
    constexpr Tick last = std::numeric_limits<Tick>::max();
    hart.end = std::max(time, times_.at(record.track, record.time == last ? last : record.time + 1));
    hart.few.add(schema_.tracks()[record.track], record, instruction, time, hart.end);
    hart.last = record.time;
    hart.next_pc = record.value + instruction.size;
    Counts now{1, 0, 0, instruction.has_target ? std::uint64_t{1} : 0};
    for (const Access& access : batch.accesses(instruction))
        ++(access.type == AccessType::write ? now.stores : now.loads);
    hart.run += now;
    hart.rates.at(time) += now;
    hart.code.add(record.value,
                  {.loads = now.loads, .stores = now.stores, .taken = now.taken, .encoding = instruction.encoding});
    if (instruction.has_target) end_run(hart);
}

void Instructions::end_run(Hart& hart) {
    hart.code.add_block(hart.pc, hart.next_pc, hart.run.instructions);
    chart_.add(hart.row, hart.begin, hart.end, [&](Slice& slice) {
        slice.name = chart_.text(hexadecimal_text(hart.pc));
        append_line("instructions", hart.run.instructions, slice.detail);
        append_line("last pc before", std::string_view(hexadecimal_text(hart.next_pc)), slice.detail);
        if (hart.run.loads != 0) append_line("loads", hart.run.loads, slice.detail);
        if (hart.run.stores != 0) append_line("stores", hart.run.stores, slice.detail);
        append_line("ends with a taken branch", std::string_view(hart.run.taken != 0 ? "yes" : "no"), slice.detail);
    });
    hart.run = {};
}

void Instructions::add_few(TrackId track, const Hart& hart) {
    if (hart.few.all().empty()) return;
    const RowId row = chart_.add_row(track, "instructions", Row::Counting::never);
    for (const ShownInstruction& instruction : hart.few.all())
        chart_.add(row, instruction.begin, instruction.end, [&](Slice& slice) {
            slice.name = chart_.text(instruction.label());
            append_line("encoding", std::string_view(hexadecimal_text(instruction.encoding)), slice.detail);
        });
}

void Instructions::finish() {
    for (TrackId track = 0; track < harts_.size(); ++track) {
        if (harts_[track] == nullptr) continue;
        if (harts_[track]->run.instructions != 0) end_run(*harts_[track]);
        add_few(track, *harts_[track]);
    }
}

void Instructions::write_code(JsonStream& json, const Symbols* symbols) const {
    for (TrackId id = 0; id < harts_.size(); ++id) {
        if (harts_[id] == nullptr) continue;
        const Hart& hart = *harts_[id];
        const Track& track = schema_.tracks()[id];
        json.begin_object();
        json.member("label", std::string_view(short_text(name_in(path_of(schema_, track.scope), track.name), 200)));
        json.member("entities", false);
        json.key("base");
        write_base(json, track.time);
        const CycleScale cycles(schema_, track);
        if (track.time.kind != TimeBase::Kind::ordinal && !cycles.assumed())
            json.member("cycles", ticks_between(cycles.cycle(hart.first), cycles.cycle(hart.last)) + 1);
        write_hot_code(json, hart.code, 200, symbols);
        json.end_object();
    }
}

void Instructions::write_rates(JsonStream& json) const {
    const unsigned shift = chart_.bin_shift(LoadBins::most_bins);
    json.array("rates");
    for (TrackId id = 0; id < harts_.size(); ++id) {
        if (harts_[id] == nullptr) continue;
        const TimeBins<Counts>& rates = harts_[id]->rates;
        const BinRange range = coarsened(rates.range(), shift);
        const std::vector<Counts> bins = rates.coarsened(range);
        json.begin_object();
        const Track& track = schema_.tracks()[id];
        if (track.scope != none) json.member("scope", std::uint64_t{track.scope});
        json.member("label", std::string_view(short_text(track.name, 200)));
        json.member("shift", shift);
        json.member("first", range.first - (chart_.first() >> shift));
        const auto column = [&](std::string_view name, std::uint64_t Counts::*count) {
            json.array(name);
            for (const Counts& bin : bins)
                json.number(bin.*count);
            json.end_array();
        };
        column("instructions", &Counts::instructions);
        column("loads", &Counts::loads);
        column("stores", &Counts::stores);
        column("taken", &Counts::taken);
        json.end_object();
    }
    json.end_array();
}

}  // namespace hwtrace::report
