// Records attributes: the calls that programs make most often. They stand in one source, so that they are inlined.
#include <string>
#include <string_view>
#include <utility>

#include "core.hpp"
#include "domain/transaction_types.hpp"
#include "short_text.hpp"

namespace hwtrace::recording::detail {

namespace {

/// Returns false for a time that is too late and for a vector with invalid digits.
bool is_sound(const Value& value) noexcept {
    switch (value.type()) {
        case Value::Type::time:
            return value.bits() <= last_time;
        case Value::Type::bit_vector:
            return value.text().find_first_not_of("01") == std::string_view::npos;
        case Value::Type::logic_vector:
            return value.text().find_first_not_of("01XZxz") == std::string_view::npos;
        default:
            return true;
    }
}

Type model_type(Value::Type type) noexcept {
    const TransactionType* const known = find_transaction_type(std::uint64_t{static_cast<std::uint8_t>(type)});
    return known == nullptr ? Type::u64 : known->type;  // not a valid Value::Type
}

}  // namespace

/// Returns the open transaction. If there is none, reports misuse and returns null.
Core::Place* Core::find_open(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::string_view what) {
    if (closed_) {
        report(Misuse::closed, id, generator, what);
        return nullptr;
    }
    if (places_[place].id == id) return &places_[place];
    report(Misuse::ended, id, generator, what);
    return nullptr;
}

bool Core::enter_open(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::string_view what) {
    Call call(*this, id, generator, what);
    if (!call || find_open(id, place, generator, what) == nullptr) return false;
    call.go_on();
    return true;
}

bool Core::enter_end(std::uint64_t id, std::uint32_t place, std::uint32_t generator) {
    Call call(*this, id, generator, {});
    if (!call || find_open(id, place, generator, generators_[generator].end_name) == nullptr) return false;
    call.go_on();
    return true;
}

void Core::put(std::uint32_t place, Phase phase, std::string_view name, const Value& value) {
    if (is_sound(value)) [[likely]]
        append_attribute(places_[place], phase, name, value);
    else
        put_unsound(places_[place], phase, name, value);
}

void Core::put_unsound(Place& place, Phase phase, std::string_view name, const Value& value) {
    const bool is_time = value.type() == Value::Type::time;
    report(is_time ? Misuse::beyond_time : Misuse::no_vector, place.id, place.generator, name);
    append_attribute(place, phase, name,
                     is_time ? Value(Value::Type::time, last_time) : Value(Value::Type::string, value.text()));
}

void Core::append_attribute(Place& place, Phase phase, std::string_view name, const Value& value) {
    if (!options_.back_ends.empty()) [[unlikely]]
        tell(place, phase, name, value);
    if (!file_ || failure_) return;
    const std::uint64_t cell = value.holds_text() ? intern(value.text()) : value.bits();
    place.attributes.push_back({field_of(place, phase, value.type(), name), cell});
}

void Core::tell(const Place& place, Phase phase, std::string_view name, const Value& value) {
    for (const auto& back_end : options_.back_ends)
        back_end->attribute(facts_of(place), phase, name, value);
}

StringId Core::intern(std::string_view text) {
    KnownText& known = known_texts_[short_text_hash(text)];
    if (known.id == none || !is_same_text(known.text, text)) [[unlikely]] {
        known.id = schema_.intern(text);
        known.text = schema_.text(known.id);
    }
    return known.id;
}

/// Returns the field of an attribute. Transactions of a generator usually have the same attributes in the same order,
/// so the expected field is checked first.
std::uint32_t Core::field_of(Place& place, Phase phase, Value::Type type, std::string_view name) {
    if (place.expected_field < place.state->fields.size()) [[likely]] {
        const FieldKey& key = place.state->fields[place.expected_field];
        if (key.phase == phase && key.type == type && is_same_text(key.name, name)) [[likely]]
            return ++place.expected_field;
    }
    return other_field_of(place, phase, type, name);
}

std::uint32_t Core::other_field_of(Place& place, Phase phase, Value::Type type, std::string_view name) {
    GeneratorState& generator = *place.state;
    key_.assign(1, static_cast<char>('0' + static_cast<int>(phase)));
    key_ += static_cast<char>('A' + static_cast<int>(type));
    key_ += name;
    const auto [found, added] = generator.by_key.try_emplace(key_, static_cast<std::uint32_t>(generator.fields.size()));
    if (added) {
        mention(name);
        generator.fields.push_back({phase, type, std::string(name)});
        schema_.add_attribute(
            generator.track,
            {.name = std::string(name), .type = model_type(type), .phase = static_cast<hwtrace::Phase>(phase)});
    }
    place.expected_field = found->second + 1;
    return place.expected_field;
}

Filling::Filling(const CorePointer& core, Work work, Phase phase, std::uint64_t id, std::uint32_t place,
                 std::uint32_t generator, std::optional<Time> time)
    : core_(id == 0 ? nullptr : core.get()),
      work_(work),
      phase_(phase),
      exponent_(core_ == nullptr ? 0 : core_->exponent()),
      id_(id),
      place_(place),
      generator_(generator),
      time_(time) {}

[[gnu::flatten]] Filling Filling::of_record(const CorePointer& core, std::uint64_t id, std::uint32_t place,
                                            std::uint32_t generator, std::string_view name) {
    const bool enters = core && id != 0 && core->enter_open(id, place, generator, name);
    return {core, Work::record, Phase::record, enters ? id : 0, place, generator, std::nullopt};
}

Filling Filling::of_begin(const CorePointer& core, std::uint32_t generator, std::optional<Time> time) {
    const Core::Begun begun = core ? core->enter_begin(generator, time) : Core::Begun();
    return {core, Work::begin, Phase::begin, begun.id, begun.place, generator, time};
}

Filling Filling::of_event(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                          std::string_view name, std::optional<Time> time) {
    Core::EventBegun event;
    if (core && id != 0) event = core->enter_event(id, place, generator, name, time);
    return {core, Work::event, Phase::record, event.begun.id, event.begun.place, event.generator, time};
}

Filling Filling::of_end(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                        std::optional<Time> time) {
    const bool enters = core && id != 0 && core->enter_end(id, place, generator);
    return {core, Work::end, Phase::end, enters ? id : 0, place, generator, time};
}

[[gnu::flatten]] void Filling::record(const CorePointer& core, std::uint64_t id, std::uint32_t place,
                                      std::uint32_t generator, std::string_view name, const Value& value) {
    Filling filling = of_record(core, id, place, generator, name);
    if (!filling) return;
    filling.put(name, value);
    filling.finish();
}

[[gnu::flatten]] void Filling::end(const CorePointer& core, std::uint64_t id, std::uint32_t place,
                                   std::uint32_t generator, std::optional<Time> time, const Value& value) {
    Filling filling = of_end(core, id, place, generator, time);
    if (!filling) return;
    filling.put(filling.name(), value);
    filling.finish();
}

void Filling::give_up() noexcept {
    try {
        finish(work_ == Work::begin ? Work::unfinished : work_);
    } catch (...) {  // the first exception is propagated
    }
}

[[gnu::flatten]] void Filling::finish(Work work) {
    Core& core = *std::exchange(core_, nullptr);
    if (work == Work::record || work == Work::begin) return core.leave();
    const std::unique_ptr<Core, void (*)(Core*)> leaves(&core, [](Core* entered) { entered->leave(); });
    if (work == Work::event)
        core.end_event(place_);
    else if (work == Work::end)
        core.end_filled(place_, time_);
    else
        core.end_unfinished(place_);
}

std::string_view Filling::name() const {
    return phase_ == Phase::begin ? core_->begin_name(generator_) : core_->end_name(generator_);
}

void Filling::put(std::string_view name, const Value& value) {
    core_->put(place_, phase_, attribute_name(name), value);
}

[[gnu::flatten]] void Filling::take(void* filling, std::string_view name, const Value& value) {
    static_cast<Filling*>(filling)->put(name, value);
}

}  // namespace hwtrace::recording::detail

namespace hwtrace::recording {

[[gnu::flatten]] Transaction Transaction::begin(const detail::CorePointer& core, std::uint32_t generator,
                                                std::optional<Time> time, const Value& value) {
    detail::Filling filling = detail::Filling::of_begin(core, generator, time);
    if (!filling) return {};
    filling.put(filling.name(), value);
    filling.finish();
    return {core, filling.id(), filling.place(), generator};
}

}  // namespace hwtrace::recording
