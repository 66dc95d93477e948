#include "convert/transforms/transaction_raising.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "convert/transforms/instruction_lowering.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::uint64_t rv32_mode = 1;
/// Maximum number of accesses that wait until the next instruction shows the target of the previous one.
constexpr std::size_t most_waiting = 4096;

bool is_marked(const Schema& source) noexcept {
    return source.metadata(names::lowered) != nullptr || source.metadata(names::record_source) != nullptr ||
           source.metadata(names::signal_source) != nullptr;
}

Loss loss_of_dropped(const Track& track) noexcept {
    return track.kind == Track::Kind::native          ? Loss::native_dropped
           : track.kind == Track::Kind::relation_type ? Loss::relation_dropped
                                                      : Loss::kind_dropped;
}

/// Returns the size of an encoding in bytes. Uses the stated size if it is plausible, otherwise the lowest bits of the
/// encoding.
std::uint8_t size_of(std::uint64_t encoding, std::optional<std::uint64_t> stated) noexcept {
    if (encoding > 0xFFFF) return 4;
    const std::uint64_t size = stated.value_or(0);
    return size == 2 || size == 4 ? static_cast<std::uint8_t>(size) : size_told_by(encoding);
}

/// Returns the end of an interval, at most the last Tick.
Tick end_from_zero(const Record& interval) noexcept {
    constexpr Tick latest = std::numeric_limits<Tick>::max();
    const auto left = static_cast<std::uint64_t>(latest) - static_cast<std::uint64_t>(std::max<Tick>(interval.time, 0));
    if (interval.value > left) return latest;
    return interval.time + static_cast<Tick>(interval.value);
}

}  // namespace

bool TransactionRaising::is_possible(const Schema& source) {
    const Track* first = nullptr;
    if (is_marked(source)) return false;
    for (const Track& track : source.tracks()) {
        if (role_of(track) == StreamRole::other) continue;
        if (first != nullptr && first->time != track.time) return false;
        first = &track;
    }
    return first != nullptr;
}

void TransactionRaising::foretell(const Schema& source, std::vector<ExpectedLoss>& losses) {
    for (const Track& track : source.tracks()) {
        switch (role_of(track)) {
            case StreamRole::other:
                losses.push_back({loss_of_dropped(track), track.name, "an instruction trace has no place for it"});
                break;
            case StreamRole::instructions:
                losses.push_back({Loss::type_changed, track.name,
                                  "transactions are restored as instructions, without time and other attributes; "
                                  "flushed ones are dropped"});
                break;
            case StreamRole::accesses:
                losses.push_back({Loss::type_changed, track.name,
                                  "transactions are restored as bus accesses, without time and other attributes"});
                break;
        }
    }
}

std::string TransactionRaising::missing(const Schema& source) {
    for (const Track& track : source.tracks())
        if (const std::string facts = missing_facts(track); !facts.empty())
            return "'" + track.name + "' lacks " + facts;
    return {};
}

std::string TransactionRaising::assumption(const Schema& source) {
    for (const Track& track : source.tracks()) {
        if (role_of(track) != StreamRole::accesses) continue;
        const bool says = std::ranges::any_of(
            track.fields, [](const Field& field) { return role_of(field) == AttributeRole::master; });
        if (!says) return "accesses of '" + track.name + "' have no master: assumed the interconnect (ICN)";
    }
    return {};
}

TransactionRaising::TransactionRaising(const Schema& source, std::string folder, Losses& losses)
    : source_(source), losses_(losses), sorter_(std::move(folder)) {
    for (const Scope& from : source.scopes()) {
        Scope scope = from;
        scope.protocol.clear();
        scope.clock = none;
        schema_.declare(std::move(scope));
    }
    for (const Metadata& fact : source.metadata())
        schema_.describe(fact.key, fact.value);
    if (const std::string* const mode = source.metadata(names::instruction_mode);
        mode != nullptr && *mode == std::to_string(rv32_mode))
        xlen_ = riscv::Xlen::rv32;
    std::vector<ScopeId> scopes;  // scopes of harts
    const auto hart_in = [&](ScopeId scope) {
        const auto found = std::ranges::find(scopes, scope);
        const auto hart = static_cast<std::size_t>(found - scopes.begin());
        if (found != scopes.end()) return hart;
        scopes.push_back(scope);
        const std::string name = scope == none ? std::string(names::instruction) : source.scopes()[scope].name;
        harts_.push_back({schema_.declare(make_track(Track::Kind::hart, scope, name, ordinals)), {}, 0});
        return hart;
    };
    const Track* access = nullptr;
    for (const Track& track : source.tracks()) {
        Lane& lane = lanes_.emplace_back();
        lane.role = role_of(track);
        if (lane.role == StreamRole::other) continue;
        lane.command = command_of(track.name);
        for (const Field& field : track.fields)
            lane.attributes.push_back(role_of(field));
        if (lane.role == StreamRole::instructions) lane.hart = hart_in(track.scope);
        if (lane.role == StreamRole::accesses && access == nullptr) access = &track;
    }
    if (access == nullptr) return;
    if (harts_.empty()) hart_in(access->scope);  // a bus access needs a hart, even if no instruction follows
    accesses_ = schema_.declare(make_track(Track::Kind::event_type, schema_.tracks()[harts_.front().track].scope,
                                           names::bus_access, ordinals, bus_access_fields()));
}

TrackId TransactionRaising::target_of(TrackId source) const noexcept {
    switch (lanes_[source].role) {
        case StreamRole::instructions:
            return harts_[lanes_[source].hart].track;
        case StreamRole::accesses:
            return accesses_;
        case StreamRole::other:
            break;
    }
    return none;
}

void TransactionRaising::apply(const Batch& in, Batch&) {
    for (const Record& record : in.records()) {
        const Track& track = source_.tracks()[record.track];
        const auto describe = [&] {
            return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time));
        };
        const bool known = record.track < lanes_.size() && lanes_[record.track].role != StreamRole::other;
        if (!known || record.kind != Kind::interval) {
            losses_.count(loss_of_dropped(track), track.name, describe);
            continue;
        }
        losses_.count(Loss::type_changed, track.name, describe);
        sorter_.add(ascending(end_from_zero(record)), 0, in, record);
    }
}

// --- attributes of a transaction -------------------------------------------------------------------------------------

std::string_view TransactionRaising::name_in(const Field& field, std::uint64_t cell) const {
    if (holds_text(field.type)) return source_.text(static_cast<StringId>(cell));
    const std::string* const label = source_.label(field.enumeration, cell);
    return label == nullptr ? std::string_view() : std::string_view(*label);
}

void TransactionRaising::take_attribute(const Field& field, AttributeRole role, std::uint64_t cell, Fact& fact) const {
    switch (role) {
        case AttributeRole::other:
            return;
        case AttributeRole::number:
            fact.number = cell;
            return;
        case AttributeRole::pc:
            fact.pc = cell;
            return;
        case AttributeRole::encoding:
            fact.encoding = cell;
            return;
        case AttributeRole::target:
            fact.target = cell;
            return;
        case AttributeRole::discarded:
            fact.discarded = fact.discarded || cell != 0;
            return;
        case AttributeRole::address:
            fact.address = cell;
            return;
        case AttributeRole::size:
            fact.size = cell;
            return;
        case AttributeRole::command:
            if (const auto command = command_of(name_in(field, cell))) fact.command = command;
            return;
        case AttributeRole::data:
            fact.data.push_back(cell);
            return;
        case AttributeRole::master:
            if (!holds_text(field.type) && field.type != Type::enumeration)
                fact.master = cell;
            else if (const auto master = master_of(name_in(field, cell)))
                fact.master = *master;
            return;
        case AttributeRole::index:
            fact.index = cell;
            return;
    }
}

TransactionRaising::Fact TransactionRaising::fact_of(const Batch& in, const Record& record) const {
    const Lane& lane = lanes_[record.track];
    const std::vector<Field>& fields = source_.tracks()[record.track].fields;
    Fact fact;
    fact.role = lane.role;
    fact.hart = lane.hart;
    fact.command = lane.command;
    for (const Attribute& attribute : in.attributes(record))
        if (attribute.field < lane.attributes.size())
            take_attribute(fields[attribute.field], lane.attributes[attribute.field], attribute.value, fact);
    return fact;
}

/// Returns true if the transaction has all values of an instruction or an access. A model that does not know the
/// encoding writes 0, which is not an instruction.
bool TransactionRaising::is_complete(const Fact& fact) const noexcept {
    constexpr std::uint64_t most_encoding = 0xFFFF'FFFF, most_size = 0xFFFF, most_index = 0xFF;
    if (fact.role == StreamRole::instructions)
        return !fact.discarded && fact.pc && fact.encoding && *fact.encoding != 0 && *fact.encoding <= most_encoding;
    return fact.address && fact.size && *fact.size <= most_size && fact.command && fact.master <= greatest_master &&
           fact.index <= most_index && !fact.discarded;
}

// --- release in order of the ends ------------------------------------------------------------------------------------

bool TransactionRaising::finish(Batch& out) {
    while (!out.full()) {
        held_.clear();
        places_.clear();
        const bool more = sorter_.give(held_, places_);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (places_[i].key != moment_) release(out);
            moment_ = places_[i].key;
            Fact fact = fact_of(held_, held_.records()[i]);
            if (is_complete(fact)) waiting_.push_back(std::move(fact));
        }
        if (more) continue;
        release(out);
        for (Hart& hart : harts_)
            put(hart, std::nullopt, out);
        append_accesses(out);
        if (without_data_ != 0)
            losses_.assume(counted(std::exchange(without_data_, 0), "bus access", "bus accesses") +
                           " without data: the content is written as 0");
        return false;
    }
    return true;
}

void TransactionRaising::release(Batch& out) {
    std::ranges::stable_sort(waiting_, {}, &Fact::number);
    for (Fact& fact : waiting_)
        add(std::move(fact), out);
    waiting_.clear();
}

void TransactionRaising::add(Fact fact, Batch& out) {
    if (fact.role == StreamRole::accesses) {
        waiting_accesses_.push_back(std::move(fact));
        if (harts_.front().last && waiting_accesses_.size() < most_waiting) return;
        put(harts_.front(), std::nullopt, out);
        return append_accesses(out);
    }
    Hart& hart = harts_[fact.hart];
    put(hart, fact.pc, out);
    if (fact.hart == 0) append_accesses(out);
    hart.last = std::move(fact);
}

void TransactionRaising::put(Hart& hart, std::optional<std::uint64_t> next_pc, Batch& out) {
    if (!hart.last) return;
    const Fact& last = *hart.last;
    Instruction& made = out.instruction(hart.track, hart.index++, *last.pc);
    made.encoding = *last.encoding;
    made.size = size_of(*last.encoding, last.size);
    const std::optional<std::uint64_t> target = last.target ? last.target : next_pc;
    const bool goes_elsewhere = target && *target != *last.pc + made.size;
    if (goes_elsewhere && (last.target || riscv::decode(made.encoding, made.size, xlen_).transfers())) {
        made.has_target = true;
        made.target = *target;
    }
    hart.last.reset();
}

/// Writes the waiting accesses. Called before the next instruction is written.
void TransactionRaising::append_accesses(Batch& out) {
    for (const Fact& fact : waiting_accesses_) {
        cells_.assign({*fact.address, *fact.size, fact.master, fact.index, 0,
                       static_cast<std::uint64_t>(fact.command.value_or(AccessType::invalid))});
        cells_.insert(cells_.end(), fact.data.begin(), fact.data.end());
        if (fact.data.empty()) {  // an access has at least one content, which is 0 if the data are unknown
            cells_.push_back(0);
            ++without_data_;
        }
        out.event(accesses_, harts_.front().index, cells_);
    }
    waiting_accesses_.clear();
}

}  // namespace hwtrace
