#include "convert/transforms/retired_instructions.hpp"

#include <algorithm>
#include <string>

#include "convert/transforms/instruction_lowering.hpp"
#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::string_view rv32 = "RV32";

bool states_instructions(const Catalogue& catalogue) noexcept {
    return catalogue.protocol == Catalogue::Protocol::cpu && catalogue.pc != no_field && catalogue.encoding != no_field;
}

/// Returns the loss for records of tracks other than catalogues.
Loss loss_of(const Track& track) noexcept {
    return track.kind == Track::Kind::native ? Loss::native_dropped : Loss::kind_dropped;
}

}  // namespace

bool RetiredInstructions::is_possible(const Schema& source) {
    return std::ranges::any_of(catalogues_of(source), states_instructions);
}

void RetiredInstructions::foretell(const Schema& source, std::vector<ExpectedLoss>& losses) {
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        const Track& track = source.tracks()[id];
        if (!is_catalogue(source, id))
            losses.push_back({loss_of(track), track.name, "an instruction trace has no place for it"});
        else
            losses.push_back({Loss::type_changed, track.name,
                              "retired entities are restored as instructions, without time; others are dropped"});
    }
}

RetiredInstructions::RetiredInstructions(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), timeline_(source, Timeline::Detail::values) {
    for (const Scope& from : source.scopes()) {
        Scope scope = from;
        scope.protocol.clear();
        scope.clock = none;
        schema_.declare(std::move(scope));
    }
    const std::string* const isa = source.metadata(names::cpu_isa);
    if (isa != nullptr && isa->starts_with(rv32)) xlen_ = riscv::Xlen::rv32;
    for (const Metadata& fact : source.metadata())
        schema_.describe(fact.key, fact.value);
    if (source.metadata(names::isa) == nullptr) schema_.describe(std::string(names::isa), "1");
    if (source.metadata(names::instruction_mode) == nullptr)
        schema_.describe(std::string(names::instruction_mode), xlen_ == riscv::Xlen::rv32 ? "1" : "2");
    for (TrackId id = 0; id < source.tracks().size(); ++id)
        is_catalogue_.push_back(is_catalogue(source, id));
    for (const Catalogue& catalogue : catalogues_of(source)) {
        Hart& hart = harts_.emplace_back();
        if (!states_instructions(catalogue)) continue;
        hart.track = schema_.declare(
            make_track(Track::Kind::hart, catalogue.scope, source.scopes()[catalogue.scope].name, ordinals));
        hart.size_field = find_field(source.tracks()[catalogue.storage], names::inst_size);
    }
}

TrackId RetiredInstructions::target_of(TrackId source) const noexcept {
    const auto& catalogues = timeline_.catalogues();
    for (std::size_t i = 0; i < harts_.size(); ++i)
        if (catalogues[i].scope == source_.tracks()[source].scope) return harts_[i].track;
    return none;
}

void RetiredInstructions::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        const Track& track = source_.tracks()[record.track];
        if (record.track < is_catalogue_.size() && is_catalogue_[record.track]) continue;
        losses_.count(loss_of(track), track.name,
                      [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
    }
    timeline_.add(in, [&](const Lifetime& life) { end(life, out); });
}

bool RetiredInstructions::finish(Batch& out) {
    timeline_.finish([&](const Lifetime& life) { end(life, out); });
    for (Hart& hart : harts_) {
        release(hart, out);
        put(hart, std::nullopt, out);
    }
    return false;
}

void RetiredInstructions::end(const Lifetime& life, Batch& out) {
    const Catalogue& catalogue = timeline_.catalogues()[life.catalogue];
    Hart& hart = harts_[life.catalogue];
    const std::string& table = source_.tracks()[catalogue.storage].name;
    // A model that does not know the encoding writes 0, which is not an instruction.
    const bool complete = life.has(catalogue.pc) && life.has(catalogue.encoding) && life.cells[catalogue.encoding] != 0;
    losses_.count(Loss::type_changed, table, [&] {
        return std::string(name_of(life.status)) + " entity " + std::to_string(life.id) +
               (hart.track == none || complete ? "" : ", whose pc or encoding is not known");
    });
    if (hart.track == none || life.status != Lifetime::Status::retired || !complete) return;
    if (life.last != hart.retirement) release(hart, out);
    hart.retirement = life.last;
    const std::uint64_t encoding = life.cells[catalogue.encoding];
    const std::uint8_t size =
        life.has(hart.size_field) ? static_cast<std::uint8_t>(life.cells[hart.size_field]) : size_told_by(encoding);
    hart.waiting.push_back({life.id, life.cells[catalogue.pc], encoding, size});
}

/// Writes the instructions that retired at the same time, in order of their ids.
void RetiredInstructions::release(Hart& hart, Batch& out) {
    std::ranges::stable_sort(hart.waiting, {}, &Retired::id);
    for (const Retired& instruction : hart.waiting) {
        put(hart, instruction.pc, out);
        hart.last = instruction;
    }
    hart.waiting.clear();
}

void RetiredInstructions::put(Hart& hart, std::optional<std::uint64_t> next_pc, Batch& out) {
    if (!hart.last) return;
    const Retired& last = *hart.last;
    Instruction& made = out.instruction(hart.track, hart.index++, last.pc);
    made.encoding = last.encoding;
    made.size = last.size;
    if (next_pc && *next_pc != last.pc + last.size && riscv::decode(last.encoding, last.size, xlen_).transfers()) {
        made.has_target = true;
        made.target = *next_pc;
    }
    hart.last.reset();
}

}  // namespace hwtrace
