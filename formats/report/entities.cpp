#include "entities.hpp"

#include <algorithm>

#include "details.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "io/number_text.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t most_stages = 64;  ///< stages of a scope with durations
constexpr std::size_t most_parts = 200;  ///< stages of an entity that are drawn

std::string label_of(const Schema& schema, const Catalogue& catalogue, const Lifetime& life) {
    if (const Lifetime::Remark* const shown = disassembly_of(schema, catalogue, life))
        return short_text(text_of(schema, catalogue, *shown), 200);
    if (life.has(catalogue.pc)) return hexadecimal_text(life.cells[catalogue.pc]);
    return std::to_string(life.id);
}

std::string stage_name(const Catalogue& catalogue, std::uint64_t stage) {
    const bool is_named = stage < catalogue.stages.size() && !catalogue.stages[stage].empty();
    return is_named ? catalogue.stages[stage] : "stage " + std::to_string(stage);
}

}  // namespace

Entities::Entities(const Schema& schema, TimeScale& times, Chart& chart, HistogramBudget& histograms)
    : schema_(schema),
      times_(times),
      chart_(chart),
      histograms_(histograms),
      shows_(schema.tracks().size()),
      entities_(schema),
      groups_(entities_.catalogues().size()) {
    const auto show = [&](std::initializer_list<TrackId> tracks) {
        for (const TrackId track : tracks)
            if (track < shows_.size()) shows_[track] = true;
    };
    for (const Catalogue& catalogue : entities_.catalogues())
        show({catalogue.storage});
    for (const CpuScope& cpu : cpu_scopes(schema))
        show({find_track_in(schema, cpu.scope, Track::Kind::event_type, conventions::dependency_type),
              cpu.stage_transition, cpu.annotate, cpu.dependency, cpu.flush, cpu.label_type, cpu.lane_stage,
              cpu.stage_end, cpu.retire});
    for (const NocScope& noc : noc_scopes(schema))
        show({noc.stage_transition, noc.beat, noc.retry, noc.timeout, noc.annotate});
}

void Entities::add(const Batch& batch) {
    if (!groups_.empty()) entities_.add(batch, [this](const Lifetime& life) { add(life); });
}

void Entities::finish() {
    entities_.finish([this](const Lifetime& life) { add(life); });
}

void Entities::add(const Lifetime& life) {
    const Catalogue& catalogue = entities_.catalogues()[life.catalogue];
    const Track& storage = schema_.tracks()[catalogue.storage];
    Group& group = groups_[life.catalogue];
    if (group.lifetimes == nullptr) {
        group.lifetimes = std::make_unique<Durations>(histograms_);
        for (const std::string& stage : catalogue.stages)  // first, because the page gives names colours in turn
            chart_.text(stage);
        group.row = chart_.add_row(catalogue.storage, storage.name, Row::Counting::each, std::max(storage.slots, 1u));
    }
    const std::uint64_t lasted = ticks_between(life.first, life.last);
    if (!life.born_before && life.status != Lifetime::Status::in_flight) group.lifetimes->add(lasted);
    for (const Lifetime::Stage& stage : life.stages) {
        if (stage.stage >= most_stages || stage.open) continue;
        if (group.stages.size() <= stage.stage) group.stages.resize(stage.stage + 1);
        auto& durations = group.stages[stage.stage];
        if (durations == nullptr) durations = std::make_unique<Durations>(histograms_);
        durations->add(ticks_between(stage.begin, stage.end));
    }
    if (life.status == Lifetime::Status::retired && life.has(catalogue.pc)) {
        const std::uint64_t encoding = life.has(catalogue.encoding) ? life.cells[catalogue.encoding] : 0;
        group.code.add(life.cells[catalogue.pc], {.encoding = encoding, .latency = lasted});
    }
    add_slice(life, catalogue, group);
}

void Entities::add_slice(const Lifetime& life, const Catalogue& catalogue, Group& group) {
    const Tick begin = times_.at(catalogue.storage, life.first);
    const Tick end = std::max(begin, times_.at(catalogue.storage, life.last));
    chart_.add(group.row, begin, end, [&](Slice& slice) {
        slice.name = chart_.text(label_of(schema_, catalogue, life));
        describe(life, catalogue, slice);
        add_parts(life, catalogue, slice);
    });
}

void Entities::describe(const Lifetime& life, const Catalogue& catalogue, Slice& slice) {
    const Track& storage = schema_.tracks()[catalogue.storage];
    append_line("slot", std::uint64_t{life.slot}, slice.detail);
    append_line("status", name_of(life.status), slice.detail);
    for (std::size_t field = 0; field < life.cells.size(); ++field) {
        if (!life.known[field]) continue;
        std::string value;
        append_cell(schema_, storage.fields[field], life.cells[field], value);
        append_line(storage.fields[field].name, value, slice.detail);
    }
    if (life.beats != 0) append_line("beats", life.beats, slice.detail);
    for (const Lifetime::Remark& remark : life.remarks) {
        if (remark.kind == Lifetime::Remark::Kind::dependency) append_line("depends on", remark.what, slice.detail);
        if (remark.kind == Lifetime::Remark::Kind::annotation)
            append_line("annotation", std::string_view(text_of(schema_, catalogue, remark)), slice.detail);
    }
}

void Entities::add_parts(const Lifetime& life, const Catalogue& catalogue, Slice& slice) {
    for (const Lifetime::Stage& stage : life.stages) {
        if (slice.parts.size() == most_parts) {
            append_line("stages not shown", std::uint64_t{life.stages.size() - most_parts}, slice.detail);
            break;
        }
        Slice::Part part;
        part.name = chart_.text(stage_name(catalogue, stage.stage));
        part.lane = stage.lane;
        part.begin = times_.at(catalogue.storage, std::clamp(stage.begin, life.first, life.last));
        part.end = std::max(part.begin, times_.at(catalogue.storage, std::clamp(stage.end, life.first, life.last)));
        slice.parts.push_back(part);
    }
}

void Entities::write_types(JsonStream& json) const {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const Catalogue& catalogue = entities_.catalogues()[i];
        const Track& storage = schema_.tracks()[catalogue.storage];
        const auto write = [&](const std::string& label, const Durations& durations) {
            json.begin_object();
            json.member("track", std::uint64_t{catalogue.storage});
            json.member("scope", std::uint64_t{catalogue.scope});
            json.member("label", std::string_view(short_text(label, 200)));
            json.key("base");
            write_base(json, storage.time);
            durations.write(json);
            json.end_object();
        };
        if (groups_[i].lifetimes == nullptr) continue;
        write("in flight: " + storage.name, *groups_[i].lifetimes);
        for (std::size_t stage = 0; stage < groups_[i].stages.size(); ++stage)
            if (groups_[i].stages[stage] != nullptr)
                write("stage " + stage_name(catalogue, stage), *groups_[i].stages[stage]);
    }
}

void Entities::write_code(JsonStream& json, const Symbols* symbols) const {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const Catalogue& catalogue = entities_.catalogues()[i];
        const LifetimeCounts& counts = entities_.counts()[i];
        if (groups_[i].lifetimes == nullptr || catalogue.protocol != Catalogue::Protocol::cpu) continue;
        json.begin_object();
        json.member("label", std::string_view(short_text(catalogue.path, 200)));
        json.member("entities", true);
        json.key("base");
        write_base(json, schema_.tracks()[catalogue.storage].time);
        json.member("created", counts.created);
        json.member("retired", counts.retired);
        json.member("flushed", counts.flushed);
        json.member("in_flight", counts.in_flight + counts.replaced);
        if (counts.first && counts.last && !catalogue.cycles.assumed()) {
            const std::uint64_t cycles =
                ticks_between(catalogue.cycles.cycle(*counts.first), catalogue.cycles.cycle(*counts.last)) + 1;
            json.member("cycles", cycles);
        }
        write_hot_code(json, groups_[i].code, 200, symbols);
        json.end_object();
    }
}

}  // namespace hwtrace::report
