#include "hwtrace/recording.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>

#include "core.hpp"
#include "domain/transaction_types.hpp"
#include "io/error.hpp"
#include "io/hex_digits.hpp"

namespace hwtrace::recording {

namespace {

/// Calls `work` and returns the result. Converts hwtrace::Error to recording::Error.
template <typename Work>
decltype(auto) guarded(Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const hwtrace::Error& error) {
        Error::Kind kind = Error::Kind::bug;
        switch (error.failure()) {
            case Failure::usage:
                kind = Error::Kind::usage;
                break;
            case Failure::io:
                kind = Error::Kind::io;
                break;
            case Failure::limit:
                kind = Error::Kind::limit;
                break;
            case Failure::input:
            case Failure::internal:
                break;
        }
        throw Error(kind, detail::words_of(error));
    } catch (const std::bad_alloc&) {
        throw Error(Error::Kind::limit, "out of memory");
    }
}

}  // namespace

std::string_view name_of(Misuse misuse) noexcept {
    switch (misuse) {
        case Misuse::ended:
            return "ended";
        case Misuse::closed:
            return "closed";
        case Misuse::foreign:
            return "foreign";
        case Misuse::ends_early:
            return "ends-early";
        case Misuse::beyond_time:
            return "beyond-time";
        case Misuse::no_events:
            return "no-events";
        case Misuse::not_finished:
            return "not-finished";
        case Misuse::nested:
            return "nested";
        case Misuse::no_vector:
            return "no-vector";
    }
    return "?";
}

std::string_view name_of(Value::Type type) noexcept {
    const TransactionType* const known = find_transaction_type(std::uint64_t{static_cast<std::uint8_t>(type)});
    return known == nullptr ? "?" : known->name;
}

void Fields::put_character(char value) {
    constexpr std::string_view escapes = "abtnvfr";  // the escape sequences of the bytes from 7
    constexpr unsigned char first_escape = 7, last_ascii = 0x7E;
    const auto byte = static_cast<unsigned char>(value);
    if (byte >= ' ' && byte <= last_ascii) return emit({Value::Type::string, std::string_view(&value, 1)});
    std::string text = "\\";
    if (byte == 0)
        text += '0';
    else if (byte >= first_escape && byte < first_escape + escapes.size())
        text += escapes[byte - first_escape];
    else
        append_hex_digits(std::array{std::byte{byte}}, text += 'x');
    emit({Value::Type::string, std::string_view(text)});
}

// Emits a duration. A Time cannot be negative, so a negative or too long duration becomes a plain number of ticks.
void Fields::emit_ticks(bool is_negative, std::uint64_t count, std::uint64_t num, std::uint64_t den) {
    __extension__ using Wide = unsigned __int128;
    constexpr auto last = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t factor = 1;  // ticks in a second, or seconds in a tick
    for (int i = std::abs(exponent_); i > 0; --i)
        factor *= 10;
    const std::uint64_t common = std::gcd(factor, exponent_ < 0 ? den : num);
    const Wide numerator = exponent_ < 0 ? Wide{num} * (factor / common) : Wide{num / common};
    const Wide denominator = exponent_ < 0 ? Wide{den / common} : Wide{den} * (factor / common);
    Wide product = 0;
    const bool overflows = __builtin_mul_overflow(numerator, Wide{count}, &product);
    const Wide ticks = product / denominator + (product % denominator >= denominator - denominator / 2 ? 1 : 0);
    if (overflows || ticks > last)
        return emit_ticks(static_cast<long double>(count) * (is_negative ? -1 : 1), num, den);
    if (is_negative) return emit({Value::Type::integer, 0 - static_cast<std::uint64_t>(ticks)});
    emit({Value::Type::time, static_cast<std::uint64_t>(ticks)});
}

void Fields::emit_ticks(long double count, std::uint64_t num, std::uint64_t den) {
    constexpr long double beyond = 0x1p63L;
    const long double ticks =
        count * static_cast<long double>(num) / static_cast<long double>(den) * std::pow(10.0L, -exponent_);
    if (ticks >= 0 && std::round(ticks) < beyond)
        emit({Value::Type::time, static_cast<std::uint64_t>(std::round(ticks))});
    else
        emit({Value::Type::floating_point, detail::bits_of(static_cast<double>(ticks))});
}

namespace detail {

void set_generator_recording(const CorePointer& core, std::uint32_t generator, bool on) {
    if (core) core->set_generator_recording(generator, on);
}

}  // namespace detail

// --- transactions ----------------------------------------------------------------------------------------------------

Transaction Transaction::begin(const detail::CorePointer& core, std::uint32_t generator, std::optional<Time> time) {
    if (!core) return {};
    const detail::Core::Begun begun = core->begin(generator, time);
    return {core, begun.id, begun.place, generator};
}

bool Transaction::is_open() const {
    return core_ && id_ != 0 && core_->is_open(id_, place_);
}

Transaction& Transaction::relate(std::string_view relation, const Transaction& source) {
    if (!core_ || id_ == 0 || source.id_ == 0) return *this;
    if (source.core_ != core_)
        core_->report(Misuse::foreign, id_, relation);
    else
        core_->relate(relation, source.id_, source.generator_, id_, generator_);
    return *this;
}

Transaction& Transaction::relate(const Relation& relation, const Transaction& source) {
    if (!core_ || id_ == 0 || source.id_ == 0 || !relation.core_) return *this;
    if (source.core_ != core_ || relation.core_ != core_) {
        core_->report(Misuse::foreign, id_, {});
        return *this;
    }
    core_->relate(relation.number_, source.id_, source.generator_, id_, generator_);
    return *this;
}

void Transaction::finish(std::optional<Time> time) {
    if (core_ && id_ != 0) core_->end(id_, place_, generator_, time);
}

// --- streams ---------------------------------------------------------------------------------------------------------

std::uint32_t Stream::declare(std::string_view name, std::string_view begin_name, std::string_view end_name,
                              Events events) const {
    return core_ ? core_->add_generator(number_, name, begin_name, end_name, events == Events::yes) : none;
}

void Stream::set_recording(bool on) const {
    if (core_) core_->set_stream_recording(number_, on);
}

// --- databases -------------------------------------------------------------------------------------------------------

Database::Database(const std::string& path, Options options)
    : core_(guarded([&] {
          if (path.empty()) fail(Failure::usage, "a recording needs a file name");
          return std::make_shared<detail::Core>(path, std::move(options));
      })) {}

Database::Database(Options options)
    : core_(guarded([&] { return std::make_shared<detail::Core>(std::string(), std::move(options)); })) {}

Database::~Database() {
    leave();
}

void Database::leave() noexcept {
    try {
        close();
    } catch (...) {  // close() reports errors; the destructor cannot
    }
    if (core_) core_->let_go();
}

Database& Database::operator=(Database&& other) noexcept {
    if (this == &other) return *this;
    leave();
    core_ = std::move(other.core_);
    return *this;
}

Stream Database::stream(std::string_view name, std::string_view kind) {
    const std::uint32_t number = core_ ? core_->add_stream(name, kind) : none;
    return number == none ? Stream() : Stream(core_, number);
}

Relation Database::relation(std::string_view name) {
    const std::uint32_t number = core_ ? core_->relation(name) : none;
    return number == none ? Relation() : Relation(core_, number);
}

void Database::set_recording(bool on) {
    if (core_) core_->set_recording(on);
}

void Database::flush() {
    if (core_) guarded([&] { core_->flush(); });
}

void Database::close() {
    if (core_) guarded([&] { core_->close(); });
}

std::uint64_t Database::misuses(Misuse misuse) const {
    return core_ ? core_->misuses(misuse) : 0;
}

std::vector<std::string> Database::losses() const {
    return core_ ? core_->losses() : std::vector<std::string>();
}

}  // namespace hwtrace::recording
