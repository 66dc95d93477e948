#include "views/signal_statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "domain/protocols.hpp"

namespace hwtrace {

namespace {

enum class Sort : std::uint8_t { number, real, vector, vector_text, other };

Sort sort_of(const Field& field) noexcept {
    switch (field.type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
        case Type::time:
            return field.width != 0 ? Sort::vector : Sort::number;
        case Type::f32:
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return Sort::real;
        case Type::boolean:
            return Sort::vector;
        case Type::bits:
        case Type::logic:
            return Sort::vector_text;
        default:
            return Sort::other;
    }
}

bool is_signed(Type type) noexcept {
    return type == Type::i8 || type == Type::i16 || type == Type::i32 || type == Type::i64;
}

/// Returns a bit of an integer as a character; bit 0 is the lowest.
char bit_at(std::uint64_t bits, std::size_t index) noexcept {
    return index < 64 && (bits >> index & 1) != 0 ? '1' : '0';
}
/// Returns a bit of a string as a character; bit 0 is the last character. Missing bits are 0.
char bit_at(std::string_view text, std::size_t index) noexcept {
    return index < text.size() ? text[text.size() - 1 - index] : '0';
}

template <typename A, typename B>
std::uint64_t differences(const A& a, const B& b, std::size_t bits) noexcept {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < bits; ++i)
        count += bit_at(a, i) != bit_at(b, i) ? 1 : 0;
    return count;
}

}  // namespace

std::string unit_of(const TimeBase& base) {
    constexpr std::array<std::pair<std::uint64_t, std::string_view>, 6> names{{{1'000'000'000'000'000, "fs"},
                                                                               {1'000'000'000'000, "ps"},
                                                                               {1'000'000'000, "ns"},
                                                                               {1'000'000, "us"},
                                                                               {1'000, "ms"},
                                                                               {1, "s"}}};
    switch (base.kind) {
        case TimeBase::Kind::cycles:
            return "cycles";
        case TimeBase::Kind::ordinal:
            return "(position)";
        case TimeBase::Kind::seconds:
            break;
    }
    const auto named = std::ranges::find_if(names, [&](const auto& name) {
        return base == TimeBase{TimeBase::Kind::seconds, 1, name.first};
    });
    if (named != names.end()) return std::string(named->second);
    return std::string("ticks of ").append(std::to_string(base.num)).append("/").append(std::to_string(base.den)) +
           " s";
}

void SignalStatisticsMeter::learn(Tally& tally, const std::vector<Field>& fields) {
    tally.members.resize(fields.size());
    while (tally.member_of.size() < fields.size()) {
        const auto first = std::ranges::find(fields, fields[tally.member_of.size()].name, &Field::name);
        const auto member = static_cast<std::uint32_t>(first - fields.begin());
        const bool is_real = sort_of(fields[tally.member_of.size()]) == Sort::real;
        tally.member_of.push_back(member);
        tally.members[member].numbers.is_real = tally.members[member].numbers.is_real || is_real;
    }
}

void SignalStatisticsMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::change) continue;
        Tally& tally = tallies_[record.track];
        const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
        if (tally.member_of.size() < fields.size()) learn(tally, fields);
        const bool counted = (record.flags & record_restated) == 0;
        if (is_shard_ && !counted) continue;  // the shards before it state its values completely
        if (counted) {
            const bool first = tally.changes++ == 0;
            tally.first = first ? record.time : std::min(tally.first, record.time);
            tally.last = first ? record.time : std::max(tally.last, record.time);
            if (record.value == change_conflict)
                ++tally.conflicts;
            else if (record.value != change_unmarked)
                ++tally.tagged;
        }
        if ((record.flags & record_no_value) != 0) {
            if (counted) ++tally.no_values;
            for (MemberTally& member : tally.members) {
                member.last.known = false;
                member.is_met = true;
            }
        }
        for (const Attribute& value : batch.attributes(record))
            if (value.field < fields.size()) take(tally, fields[value.field], value, counted);
    }
}

void SignalStatisticsMeter::take(Tally& tally, const Field& field, const Attribute& value, bool counted) {
    MemberTally& member = tally.members[tally.member_of[value.field]];
    if (counted) {
        ++member.values;
        take_number(member, field, value.value);
    }
    if (!field.repeated) take_vector(member, field, value.value, counted);
}

void SignalStatisticsMeter::take_number(MemberTally& member, const Field& field, std::uint64_t cell) const {
    const Sort sort = sort_of(field);
    if (sort == Sort::vector_text || sort == Sort::other || field.type == Type::boolean) return;
    SignalStatistics::Numbers& numbers = member.numbers;
    const bool is_negative = is_signed(field.type) && static_cast<std::int64_t>(cell) < 0;
    const WideTick integer = is_negative ? WideTick{static_cast<std::int64_t>(cell)} : WideTick{cell};
    const bool first = numbers.count == 0;
    if (numbers.is_real) {
        const double real = sort != Sort::real        ? static_cast<double>(integer)
                            : field.type == Type::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(cell))
                                                      : std::bit_cast<double>(cell);
        if (std::isnan(real)) return;
        numbers.least_real = first ? real : std::min(numbers.least_real, real);
        numbers.greatest_real = first ? real : std::max(numbers.greatest_real, real);
        if (member.real_sum == nullptr) member.real_sum = std::make_unique<ExactSum>();
        member.real_sum->add(real);
    } else {
        numbers.least = first ? integer : std::min(numbers.least, integer);
        numbers.greatest = first ? integer : std::max(numbers.greatest, integer);
        member.sum += integer;
    }
    ++numbers.count;
}

void SignalStatisticsMeter::take_vector(MemberTally& member, const Field& field, std::uint64_t cell, bool counted) {
    const Sort sort = sort_of(field);
    if (sort != Sort::vector && sort != Sort::vector_text) return;
    const bool is_text = sort == Sort::vector_text;
    const std::uint64_t all =
        field.width == 0 || field.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.width) - 1;
    const std::string_view text = is_text ? schema_.text(static_cast<StringId>(cell)) : std::string_view();
    Vector& last = member.last;
    Vector& next = next_;
    next.known = true;
    next.is_text = is_text;
    next.bits = is_text ? 0 : cell & all;
    next.text = text;
    if (counted && last.known) member.toggles += toggles_between(last, next);
    if (is_shard_ && !member.is_met) member.first = std::make_unique<Vector>(next);
    member.is_met = true;
    std::swap(last, next);
}

std::uint64_t SignalStatisticsMeter::toggles_between(const Vector& before, const Vector& after) {
    const std::size_t length = std::max({before.text.size(), after.text.size(), std::size_t{64}});
    if (before.is_text && after.is_text)
        return differences(std::string_view(before.text), std::string_view(after.text),
                           std::max(before.text.size(), after.text.size()));
    if (after.is_text) return differences(before.bits, std::string_view(after.text), length);
    if (before.is_text) return differences(std::string_view(before.text), after.bits, length);
    return static_cast<std::uint64_t>(std::popcount(before.bits ^ after.bits));
}

void SignalStatisticsMeter::save(StateOut& out) const {
    std::vector<TrackId> met;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id)
        if (!tallies_.of(id).members.empty() || tallies_.of(id).changes != 0) met.push_back(id);
    out(met.size());
    for (const TrackId id : met) {
        const Tally& tally = tallies_.of(id);
        out(id, tally.changes, tally.no_values, tally.conflicts, tally.tagged, tally.first, tally.last);
        out(tally.members.size());
        for (const MemberTally& member : tally.members) {
            const SignalStatistics::Numbers& numbers = member.numbers;
            out(member.values, numbers.is_real, numbers.count, numbers.least, numbers.greatest,
                std::bit_cast<std::uint64_t>(numbers.least_real), std::bit_cast<std::uint64_t>(numbers.greatest_real),
                member.sum);
            (member.real_sum ? *member.real_sum : ExactSum()).save(out);
            out(member.toggles, member.is_met);
            if (member.is_met) out(member.first ? *member.first : Vector(), member.last);
        }
    }
}

void SignalStatisticsMeter::add(StateIn& in, MemberTally& member) {
    member.values += in.get<std::uint64_t>();
    SignalStatistics::Numbers& numbers = member.numbers;
    const bool is_real = in.get<bool>();
    const auto count = in.get<std::uint64_t>();
    const auto least = in.get<WideTick>(), greatest = in.get<WideTick>();
    const auto least_real = std::bit_cast<double>(in.get<std::uint64_t>());
    const auto greatest_real = std::bit_cast<double>(in.get<std::uint64_t>());
    if (count != 0 && is_real != numbers.is_real)
        not_reduced_ = "a signal gets numbers of another type in a later shard";
    if (count != 0) {
        const bool first = numbers.count == 0;
        numbers.least = first ? least : std::min(numbers.least, least);
        numbers.greatest = first ? greatest : std::max(numbers.greatest, greatest);
        numbers.least_real = first ? least_real : std::min(numbers.least_real, least_real);
        numbers.greatest_real = first ? greatest_real : std::max(numbers.greatest_real, greatest_real);
    }
    numbers.count += count;
    member.sum += in.get<WideTick>();
    if (member.real_sum == nullptr) member.real_sum = std::make_unique<ExactSum>();
    member.real_sum->add(in);
    member.toggles += in.get<std::uint64_t>();
    if (!in.get<bool>()) return;
    const auto first = in.get<Vector>();
    if (member.last.known && first.known) member.toggles += toggles_between(member.last, first);
    in(member.last);
}

void SignalStatisticsMeter::add(StateIn& in) {
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto id = static_cast<TrackId>(in.below(schema_.tracks().size()));
        const std::vector<Field>& fields = schema_.tracks()[id].fields;
        Tally& tally = tallies_[id];
        if (tally.member_of.size() < fields.size()) learn(tally, fields);
        const auto changes = in.get<std::uint64_t>();
        tally.no_values += in.get<std::uint64_t>();
        tally.conflicts += in.get<std::uint64_t>();
        tally.tagged += in.get<std::uint64_t>();
        const auto first = in.get<Tick>(), last = in.get<Tick>();
        if (changes != 0) {
            tally.first = tally.changes == 0 ? first : std::min(tally.first, first);
            tally.last = tally.changes == 0 ? last : std::max(tally.last, last);
        }
        tally.changes += changes;
        const std::size_t members = in.count();
        StateIn::require(members <= fields.size());
        for (std::size_t i = 0; i < members; ++i)
            add(in, tally.members[i]);
    }
}

std::optional<SignalStatistics> SignalStatisticsMeter::result() const {
    SignalStatistics result;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind != Track::Kind::signal) continue;
        const Tally& tally = tallies_.of(id);
        SignalStatistics::OfSignal& signal = result.signals.emplace_back();
        signal.scope = path_of(schema_, track.scope);
        signal.name = track.name;
        signal.unit = unit_of(track.time);
        signal.changes = tally.changes;
        signal.first = tally.first;
        signal.last = tally.last;
        signal.no_values = tally.no_values;
        signal.conflicts = tally.conflicts;
        signal.tagged = tally.tagged;
        for (const Field& field : track.fields) {
            const std::string type = std::string(name_of(field.type)).append(field.repeated ? "[]" : "");
            const auto known = std::ranges::find(signal.members, field.name, &SignalStatistics::Member::name);
            const bool toggles =
                !field.repeated && (sort_of(field) == Sort::vector || sort_of(field) == Sort::vector_text);
            if (known != signal.members.end()) {
                known->types.append("|").append(type);
                if (toggles && !known->toggles) known->toggles = 0;
                continue;
            }
            SignalStatistics::Member& member = signal.members.emplace_back();
            member.name = field.name;
            member.types = type;
            if (toggles) member.toggles = 0;
        }
        for (SignalStatistics::Member& member : signal.members) {
            const auto first = std::ranges::find(track.fields, member.name, &Field::name) - track.fields.begin();
            const auto field = static_cast<std::size_t>(first);
            if (field >= tally.members.size()) continue;
            const MemberTally& of_member = tally.members[field];
            member.values = of_member.values;
            if (member.toggles) member.toggles = of_member.toggles;
            if (of_member.numbers.count == 0) continue;
            member.numbers = of_member.numbers;
            const long double sum = of_member.numbers.is_real && of_member.real_sum
                                        ? of_member.real_sum->value()
                                        : static_cast<long double>(of_member.sum);
            member.numbers->mean = static_cast<double>(sum / static_cast<long double>(of_member.numbers.count));
        }
    }
    if (result.signals.empty()) return std::nullopt;
    return result;
}

}  // namespace hwtrace
