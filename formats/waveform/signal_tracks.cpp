#include "signal_tracks.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "states.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::uint32_t widest_number = 64;
constexpr std::string_view value_name = "value";
constexpr std::size_t text_of_an_object = 256;  ///< bytes of a name that count as one schema object

Field field_of(Type type, std::uint8_t width = 0) {
    Field field;
    field.name = value_name;
    field.type = type;
    field.width = width;
    return field;
}

Type integer_type(std::uint32_t width) noexcept {
    return width <= 8 ? Type::i8 : width <= 16 ? Type::i16 : width <= 32 ? Type::i32 : Type::i64;
}

std::uint64_t sign_extended(std::uint64_t number, std::uint32_t width) noexcept {
    const unsigned unused = widest_number - width;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number << unused) >> unused);
}

}  // namespace

void SignalTracks::set_timescale(int exponent) {
    base_ = {TimeBase::Kind::seconds, 1, 1};
    for (; exponent > 0; --exponent)
        base_.num *= 10;
    for (; exponent < 0; ++exponent)
        base_.den *= 10;
}

void SignalTracks::count_object(std::size_t text) {
    objects_ += 1 + text / text_of_an_object;
    check_limit(objects_, limits_.schema_objects, "the number of scopes and variables", "--max-schema");
}

StringId SignalTracks::intern_states() {
    const std::size_t known = schema_.string_count();
    const StringId id = schema_.intern(text_);
    if (schema_.string_count() != known) {
        states_ += text_.size();
        check_limit(states_, limits_.block, "the size of all distinct values of vectors", "--max-block");
    }
    return id;
}

ScopeId SignalTracks::declare_scope(ScopeId parent, std::string_view name) {
    count_object(name.size());
    return schema_.declare(Scope{std::string(name), parent, {}, none});
}

std::uint32_t SignalTracks::declare(ScopeId scope, Variable variable, EnumId enumeration) {
    count_object(variable.name.size());
    variable.width = std::max(variable.width, std::uint32_t{1});
    if (variable.kind == Variable::Kind::integer && variable.width > widest_number)
        variable.kind = Variable::Kind::bits;
    std::vector<Field> fields;
    switch (variable.kind) {
        case Variable::Kind::bits:
            if (variable.width > widest_number) enumeration = none;
            if (enumeration != none) {
                fields.push_back(field_of(Type::enumeration));
                fields.back().enumeration = enumeration;
            } else if (variable.width <= widest_number) {
                fields.push_back(field_of(Type::u64, static_cast<std::uint8_t>(variable.width)));
            } else {
                fields.push_back(field_of(Type::logic));
            }
            break;
        case Variable::Kind::integer:
            fields.push_back(field_of(integer_type(variable.width)));
            break;
        case Variable::Kind::real:
            fields.push_back(field_of(Type::f64));
            break;
        case Variable::Kind::text:
            fields.push_back(field_of(Type::text));
            break;
        case Variable::Kind::event:
            break;
    }
    const Track::Kind kind = variable.kind == Variable::Kind::event ? Track::Kind::event_type : Track::Kind::signal;
    const TrackId track = schema_.declare(make_track(kind, scope, variable.name, base_, std::move(fields)));
    signals_.push_back({track, variable.kind, variable.width, variable.width > widest_number ? 0 : none});
    return static_cast<std::uint32_t>(signals_.size() - 1);
}

void SignalTracks::put_number(Batch& batch, std::uint32_t number, Tick time, std::uint64_t value) {
    const Signal& signal = signals_[number];
    if (signal.width > widest_number) {  // wide vectors have states only
        text_.assign(signal.width, '0');
        for (std::size_t bit = 0; bit < widest_number; ++bit)
            if ((value >> bit & 1u) != 0) text_[signal.width - 1 - bit] = '1';
        batch.change(signal.track, time, Attribute{0, intern_states()});
        return;
    }
    if (signal.kind == Variable::Kind::integer) value = sign_extended(value, signal.width);
    batch.change(signal.track, time, Attribute{0, value});
}

SignalTracks::Fit SignalTracks::put_states(Batch& batch, std::uint32_t number, Tick time, std::string_view states) {
    Signal& signal = signals_[number];
    if (signal.width > widest_number || states.size() > signal.width || states.empty()) [[unlikely]]
        return put_rare_states(batch, signal, time, states);
    std::uint64_t value = 0;
    unsigned char others = 0;  // 0 as long as all characters are 0 or 1
    for (const char state : states) {
        value = value << 1 | (static_cast<unsigned char>(state) & 1u);
        others = static_cast<unsigned char>(others | ((static_cast<unsigned char>(state) & 0xFEu) ^ '0'));
    }
    if (others != 0) [[unlikely]]
        return put_rare_states(batch, signal, time, states);
    if (signal.kind == Variable::Kind::integer) value = sign_extended(value, signal.width);
    batch.change(signal.track, time, Attribute{0, value});
    return Fit::good;
}

SignalTracks::Fit SignalTracks::put_rare_states(Batch& batch, Signal& signal, Tick time, std::string_view states) {
    if (states.empty()) return Fit::wrong;
    const bool is_long = states.size() > signal.width;
    if (is_long) states.remove_prefix(states.size() - signal.width);
    const char first = model_states[static_cast<unsigned char>(states.front())];
    text_.assign(signal.width - states.size(), first == '0' || first == '1' ? '0' : first);
    bool is_binary = true, is_unknown = first == 'X';
    for (const char character : states) {
        const char state = model_states[static_cast<unsigned char>(character)];
        if (state == 0) return Fit::wrong;
        is_binary = is_binary && (state == '0' || state == '1');
        is_unknown = is_unknown && state == 'X';
        text_ += state;
    }
    if (is_unknown) {
        batch.change(signal.track, time, std::span<const Attribute>{}).flags |= record_no_value;
    } else if (is_binary && signal.width <= widest_number) {
        std::uint64_t value = 0;
        for (const char state : text_)
            value = value << 1 | (state == '1' ? 1u : 0u);
        if (signal.kind == Variable::Kind::integer) value = sign_extended(value, signal.width);
        batch.change(signal.track, time, Attribute{0, value});
    } else if (signal.kind == Variable::Kind::integer) {
        return Fit::wrong;  // these types have no other states
    } else {
        if (signal.states == none) {
            count_object(0);
            signal.states = schema_.add_attribute(signal.track, field_of(Type::logic));
        }
        batch.change(signal.track, time, Attribute{signal.states, intern_states()});
    }
    return is_long ? Fit::too_long : Fit::good;
}

void SignalTracks::put_real(Batch& batch, std::uint32_t signal, Tick time, double value) {
    batch.change(signals_[signal].track, time, Attribute{0, std::bit_cast<std::uint64_t>(value)});
}

void SignalTracks::put_text(Batch& batch, std::uint32_t signal, Tick time, std::string_view text) {
    check_limit(text.size(), limits_.string, "a text", "--max-string");
    batch.change(signals_[signal].track, time, Attribute{0, schema_.intern(text)});
}

void SignalTracks::put_event(Batch& batch, std::uint32_t signal, Tick time) {
    batch.event(signals_[signal].track, time, 0u);
}

}  // namespace hwtrace::waveform
