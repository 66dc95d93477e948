// hwtrace/recording.hpp - records transactions: what lasts from a begin to an end, with attributes and relations, into
// FTR, transaction text, µScope or pccx. Needs no simulator.
//
//     hwtrace::recording::Database db("run.ftr", {.exponent = -9, .now = [&] { return cycle; }});
//     auto bus = db.stream("bus", "transactor");
//     auto read = bus.generator<Address, Data>("read", "addr", "data");
//     auto transaction = read.begin(Address{0x1000});      // now
//     transaction.record("length", 64).relate("follows", earlier);
//     transaction.end(Data{...});
//     db.close();
//
// Any thread may use any object at any time: each call holds its database's lock while it works. Calls that make no
// sense (see Misuse) change nothing, are counted, and are told to who listens; none of them throws. Only what concerns
// the file throws Error: the constructor of a Database, flush() and close(); after an Error of another call's writing
// the rest is not recorded, and close() throws it again. What was recorded until then is kept: the Error says where.
// Functions that a program gives to a database (clock, listener, back ends, describe) are called with that lock held:
// what they record in it is refused, and they must not throw. They may record in other databases, whose functions may
// record in this one: what would have two threads wait for each other is refused. Streams, generators and transactions
// are small handles that may be copied, and may outlive their database, which then calls no function of the program any
// more. In a child of fork() they record nothing.
#ifndef HWTRACE_RECORDING_HPP
#define HWTRACE_RECORDING_HPP

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hwtrace::recording {

/// A moment or a duration in ticks of a Database, of 10^exponent seconds each.
using Time = std::uint64_t;

/// The file cannot be written, or not be written so.
class Error : public std::runtime_error {
public:
    enum class Kind : std::uint8_t {
        usage,  ///< an option or a name of a file that makes no sense
        io,     ///< open, write, rename, disk full
        limit,  ///< more than the format has room for
        bug,    ///< of this library
    };
    Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    Kind kind() const noexcept { return kind_; }

private:
    Kind kind_;
};

/// A call that makes no sense and therefore had no effect, or only the one stated.
enum class Misuse : std::uint8_t {
    ended,         ///< a transaction that has ended was to end, record or have an event
    closed,        ///< its database is closed
    foreign,       ///< a transaction or relation of another database
    ends_early,    ///< an end before the begin: it ends at its begin
    beyond_time,   ///< a time beyond 2^63 - 1: it is taken for that
    no_events,     ///< an event of a transaction whose generator has none
    not_finished,  ///< was still open when the database was closed, or its handle got lost because describe() threw at
                   ///< its begin: it ends then, with the attribute `unfinished`
    nested,        ///< a call out of a function that the database is calling: clock, listener, back end, describe()
    no_vector,     ///< a vector with other digits than it may have: it is recorded as a text
};
inline constexpr std::size_t misuse_kinds = 9;
std::string_view name_of(Misuse misuse) noexcept;

struct MisuseReport {
    Misuse misuse;
    std::uint64_t transaction;   ///< its id; 0: none
    std::string_view generator;  ///< its generator's name; empty: none
    std::string_view what;       ///< the attribute, relation or event; empty: none. Valid during the call
};

// --- values ----------------------------------------------------------------------------------------------------------

/// Of an enumeration, where it is not a C++ one with a name_of(E).
struct Label {
    std::string_view name;
};
/// A vector of '0' and '1', the most significant bit first.
struct BitVector {
    std::string_view digits;
};
/// A vector of '0', '1', 'X' and 'Z', which may be small.
struct LogicVector {
    std::string_view digits;
};
struct Fixed {
    double value;
};
struct UnsignedFixed {
    double value;
};
/// A time in ticks of the database.
struct Ticks {
    Time value;
};
/// An address in the program or the model.
struct Pointer {
    std::uint64_t address;
};

/// One value of an attribute. Texts are referred to, not copied.
class Value {
public:
    /// As the number by which FTR knows it.
    enum class Type : std::uint8_t {
        boolean,
        enumeration,
        integer,
        unsigned_integer,
        floating_point,
        bit_vector,
        logic_vector,
        fixed_point,
        unsigned_fixed_point,
        pointer,
        string,
        time,
    };
    Value(Type type, std::uint64_t bits) noexcept : type_(type), bits_(bits) {}
    Value(Type type, std::string_view text) noexcept : type_(type), text_(text) {}

    Type type() const noexcept { return type_; }
    bool holds_text() const noexcept {
        return type_ == Type::enumeration || type_ == Type::string || type_ == Type::bit_vector ||
               type_ == Type::logic_vector;
    }
    std::string_view text() const noexcept { return text_; }
    /// Numbers; negative ones in two's complement, floating ones as the bits of the double.
    std::uint64_t bits() const noexcept { return bits_; }

private:
    Type type_;
    std::uint64_t bits_ = 0;
    std::string_view text_;
};
std::string_view name_of(Value::Type type) noexcept;

/// When an attribute is stated.
enum class Phase : std::uint8_t { begin = 1, record, end };

class Fields;

namespace detail {

template <typename T>
concept TextLike = std::is_convertible_v<const T&, std::string_view>;
template <typename T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
    { name_of(value) } -> std::convertible_to<std::string_view>;
};
template <typename T>
concept DescribedByMember = requires(const T& value, Fields& fields) {
    value.describe(fields);
};
template <typename T>
concept DescribedByFunction = requires(const T& value, Fields& fields) {
    describe(fields, value);
};
template <typename T>
concept Sequence = std::ranges::input_range<const T> && !TextLike<T> &&
                   !std::is_same_v<std::remove_cvref_t<std::ranges::range_reference_t<const T>>, T>;  // as of a path

template <template <typename...> typename Template, typename T>
inline constexpr bool is_a = false;
template <template <typename...> typename Template, typename... Types>
inline constexpr bool is_a<Template, Template<Types...>> = true;

template <typename T>
inline constexpr bool is_bitset = false;
template <std::size_t size>
inline constexpr bool is_bitset<std::bitset<size>> = true;

/// Of the same size as char, and for text as well.
template <typename T>
concept TextByte = std::is_same_v<T, char> || std::is_same_v<T, char8_t>;
template <typename T>
concept WideCharacter = std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

/// Room for a text, which ends at a NUL or with the room: char[n], std::array<char, n>.
template <typename T>
inline constexpr bool is_text_array = false;
template <TextByte Byte, std::size_t size>
inline constexpr bool is_text_array<Byte[size]> = true;
template <TextByte Byte, std::size_t size>
inline constexpr bool is_text_array<std::array<Byte, size>> = true;

template <typename T>
concept Path = requires(const T& value) {
    { value.native() } -> std::same_as<const std::string&>;
};
template <typename T>
concept MapOfNames = Sequence<T> && requires {
    typename T::mapped_type;
    requires TextLike<typename T::key_type>;
};
template <typename T>
concept MapOfNumbers = Sequence<T> && requires {
    typename T::mapped_type;
    requires std::is_integral_v<typename T::key_type>;
};

}  // namespace detail

/// Takes what an attribute consists of. A struct lists its members in a function `describe(fields, value)`, found next
/// to it, or in a member `value.describe(fields)`:
///     void describe(hwtrace::recording::Fields& fields, const Address& a) { fields("addr", a.addr)("length",
///     a.length); }
/// Members of members are named "outer.inner", elements of arrays "outer[0]", those of maps by their keys. An
/// enumeration with a function `name_of(value)` next to it is a label, another one its number; an empty optional is
/// left out; a duration is a time in ticks, the nearest. What has no place in 64 bits does not compile.
class Fields {
public:
    /// A value and its place among the members: gets the full name; both are valid during the call.
    using Sink = void (*)(void* context, std::string_view name, const Value& value);
    /// A tick lasts 10^exponent seconds.
    Fields(Sink sink, void* context, int exponent = -12) noexcept
        : sink_(sink), context_(context), exponent_(exponent) {}

    template <typename T>
    Fields& operator()(std::string_view name, const T& value) {
        const std::size_t outer = name_.size();
        if (outer != 0 && !name.empty()) name_ += '.';
        name_ += name;
        put(value);
        name_.resize(outer);
        return *this;
    }

private:
    template <typename T>
    void put(const T& value) {
        using Type = Value::Type;
        if constexpr (std::is_same_v<T, Value>) {
            sink_(context_, full_name(), value);
        } else if constexpr (std::is_same_v<T, bool>) {
            emit(Type::boolean, std::uint64_t{value});
        } else if constexpr (std::is_same_v<T, Label>) {
            emit(Type::enumeration, value.name);
        } else if constexpr (std::is_same_v<T, BitVector>) {
            emit(Type::bit_vector, value.digits);
        } else if constexpr (std::is_same_v<T, LogicVector>) {
            emit(Type::logic_vector, value.digits);
        } else if constexpr (std::is_same_v<T, Fixed>) {
            emit(Type::fixed_point, bits_of(value.value));
        } else if constexpr (std::is_same_v<T, UnsignedFixed>) {
            emit(Type::unsigned_fixed_point, bits_of(value.value));
        } else if constexpr (std::is_same_v<T, Ticks>) {
            emit(Type::time, value.value);
        } else if constexpr (std::is_same_v<T, Pointer>) {
            emit(Type::pointer, value.address);
        } else if constexpr (detail::NamedEnum<T>) {
            emit(Type::enumeration, std::string_view(name_of(value)));
        } else if constexpr (std::is_enum_v<T>) {
            put(static_cast<std::underlying_type_t<T>>(value));
        } else if constexpr (std::is_floating_point_v<T>) {
            static_assert(sizeof(T) <= sizeof(double), "a number of more than 64 bits: say what it is recorded as");
            emit(Type::floating_point, bits_of(static_cast<double>(value)));
        } else if constexpr (std::is_integral_v<T>) {
            static_assert(sizeof(T) <= sizeof(std::uint64_t),
                          "a number of more than 64 bits: say what it is recorded as");
            // Signed ones are widened with their sign.
            emit(std::is_signed_v<T> ? Type::integer : Type::unsigned_integer, static_cast<std::uint64_t>(value));
        } else if constexpr (detail::is_text_array<T>) {
            const auto* const begin = reinterpret_cast<const char*>(std::data(value));
            const char* const end = std::char_traits<char>::find(begin, std::size(value), '\0');  // it may have none
            emit(Type::string,
                 std::string_view(begin, end == nullptr ? std::size(value) : static_cast<std::size_t>(end - begin)));
        } else if constexpr (std::is_null_pointer_v<T>) {
            emit(Type::pointer, std::uint64_t{0});
        } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
            emit(Type::string, value == nullptr ? std::string_view() : std::string_view(value));
        } else if constexpr (detail::TextLike<T>) {
            emit(Type::string, std::string_view(value));
        } else if constexpr (std::is_convertible_v<const T&, std::u8string_view>) {
            const std::u8string_view text(value);
            emit(Type::string, std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
        } else if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>) {
            emit(Type::pointer, reinterpret_cast<std::uintptr_t>(value));
        } else if constexpr (std::is_pointer_v<T>) {
            emit(Type::pointer, reinterpret_cast<std::uintptr_t>(static_cast<const volatile void*>(value)));
        } else if constexpr (detail::is_a<std::optional, T>) {
            if (value) put(*value);
        } else if constexpr (detail::DescribedByMember<T>) {
            value.describe(*this);
        } else if constexpr (detail::DescribedByFunction<T>) {
            describe(*this, value);
        } else if constexpr (requires(std::chrono::nanoseconds any) { std::chrono::duration_cast<T>(any); }) {
            append_duration(value);
        } else if constexpr (detail::is_bitset<T>) {
            emit(Type::bit_vector, std::string_view(value.to_string()));
        } else if constexpr (detail::is_a<std::atomic, T>) {
            put(value.load());
        } else if constexpr (std::is_same_v<T, std::vector<bool>::reference>) {
            put(static_cast<bool>(value));
        } else if constexpr (detail::Path<T>) {
            put(value.native());
        } else if constexpr (detail::is_a<std::pair, T>) {
            (*this)("first", value.first)("second", value.second);
        } else if constexpr (detail::is_a<std::tuple, T>) {
            std::size_t index = 0;
            std::apply([&](const auto&... elements) { (append_element(std::to_string(index++), elements), ...); },
                       value);
        } else if constexpr (detail::is_a<std::variant, T>) {
            if (!value.valueless_by_exception()) std::visit([&](const auto& held) { put(held); }, value);
        } else if constexpr (std::is_same_v<T, std::monostate>) {
            // Left out, as an empty optional is.
        } else if constexpr (detail::MapOfNames<T>) {
            for (const auto& [key, element] : value)
                (*this)(key, element);
        } else if constexpr (detail::MapOfNumbers<T>) {
            for (const auto& [key, element] : value)
                append_element(std::to_string(key), element);
        } else {
            static_assert(detail::Sequence<T>, "give the type a function describe(Fields&, const T&)");
            static_assert(!detail::WideCharacter<std::remove_cvref_t<std::ranges::range_reference_t<const T>>>,
                          "a text is made of char or char8_t");
            std::size_t index = 0;
            for (const auto& element : value)
                append_element(std::to_string(index++), element);
        }
    }
    template <typename T>
    void append_element(const std::string& index, const T& value) {
        const std::size_t outer = name_.size();
        name_.append("[").append(index).append("]");
        put(value);
        name_.resize(outer);
    }
    template <typename Number, typename Period>
    void append_duration(std::chrono::duration<Number, Period> value) {
        constexpr auto num = static_cast<std::uint64_t>(Period::num), den = static_cast<std::uint64_t>(Period::den);
        if constexpr (std::chrono::treat_as_floating_point_v<Number>) {
            emit_ticks(static_cast<long double>(value.count()), num, den);
        } else {
            static_assert(sizeof(Number) <= sizeof(std::int64_t));
            const bool is_negative = value.count() < 0;
            const auto count = static_cast<std::uint64_t>(value.count());
            emit_ticks(is_negative, is_negative ? 0 - count : count, num, den);
        }
    }
    /// `count` of `num` / `den` seconds.
    void emit_ticks(bool is_negative, std::uint64_t count, std::uint64_t num, std::uint64_t den);
    void emit_ticks(long double count, std::uint64_t num, std::uint64_t den);
    void emit(Value::Type type, std::uint64_t bits) { sink_(context_, full_name(), Value(type, bits)); }
    void emit(Value::Type type, std::string_view text) { sink_(context_, full_name(), Value(type, text)); }
    /// Never empty: what has no name is called so.
    std::string_view full_name() const noexcept { return name_.empty() ? std::string_view("unnamed") : name_; }
    static std::uint64_t bits_of(double value) noexcept;

    Sink sink_;
    void* context_;
    int exponent_;
    std::string name_;
};

// --- objects ---------------------------------------------------------------------------------------------------------

namespace detail {

class Core;
using CorePointer = std::shared_ptr<Core>;

/// One call that states attributes of a transaction. Holds the lock of its database: nothing that other threads record
/// comes in between.
class Filling {
public:
    // Each is false where there is nothing to state, after telling why.
    static Filling of_record(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                             std::string_view name);
    static Filling of_begin(const CorePointer& core, std::uint32_t generator, std::optional<Time> time);
    static Filling of_event(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                            std::string_view name, std::optional<Time> time);
    static Filling of_end(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                          std::optional<Time> time);
    /// Where an exception ends the call: events and ends are made all the same, begins unmade by an end.
    ~Filling();
    Filling(const Filling&) = delete;
    Filling& operator=(const Filling&) = delete;

    explicit operator bool() const noexcept { return core_ != nullptr; }
    template <typename T>
    Filling& operator()(std::string_view name, const T& value) {
        Fields(&Filling::put, this, exponent_)(name, value);
        return *this;
    }
    /// Of the attribute of begin or end.
    std::string_view name() const;
    std::uint64_t id() const noexcept { return id_; }
    std::uint32_t place() const noexcept { return place_; }
    /// All is stated.
    void finish() { finish(work_); }

private:
    enum class Work : std::uint8_t { record, begin, event, end, unfinished };
    Filling(const CorePointer& core, Work work, Phase phase, std::uint64_t id, std::uint32_t place,
            std::uint32_t generator, std::optional<Time> time);
    static void put(void* filling, std::string_view name, const Value& value);
    void finish(Work work);

    Core* core_;
    Work work_;
    Phase phase_;
    int exponent_;
    std::uint64_t id_;
    std::uint32_t place_, generator_;
    std::optional<Time> time_;
};

void set_generator_recording(const CorePointer& core, std::uint32_t generator, bool on);

}  // namespace detail

/// A kind of relation, made by a Database.
class Relation {
public:
    Relation() = default;

private:
    friend class Database;
    friend class Transaction;
    Relation(detail::CorePointer core, std::uint32_t number) : core_(std::move(core)), number_(number) {}
    detail::CorePointer core_;
    std::uint32_t number_ = 0;
};

/// A handle of one transaction. One that was begun while recording was off takes all calls and records nothing; so does
/// one that was default-constructed.
class Transaction {
public:
    Transaction() = default;
    Transaction(const Transaction&) = default;
    Transaction& operator=(const Transaction&) = default;
    /// `other` becomes a default-constructed one.
    Transaction(Transaction&& other) noexcept : Transaction() { swap(other); }
    Transaction& operator=(Transaction&& other) noexcept {
        Transaction(std::move(other)).swap(*this);
        return *this;
    }
    ~Transaction() = default;

    /// Its number in its database, from 1; 0: it is not recorded.
    std::uint64_t id() const noexcept { return id_; }
    /// Recorded, and not ended yet.
    bool is_open() const;

    /// One attribute, or several where `value` is a struct or an array; as long as it is open.
    template <typename T>
    Transaction& record(std::string_view name, const T& value) {
        if (auto filling = detail::Filling::of_record(core_, id_, place_, generator_, name))
            filling(name, value).finish();
        return *this;
    }
    /// A struct by the names of its members; anything else is called "unnamed".
    template <typename T>
    Transaction& record(const T& value) {
        return record(std::string_view(), value);
    }
    /// A relation that leads from `source` to this transaction. Both may have ended.
    Transaction& relate(std::string_view relation, const Transaction& source);
    Transaction& relate(const Relation& relation, const Transaction& source);

    /// A moment of it, now or at a time, with attributes: event("stall", "reason", "full", "entries", 4). Its generator
    /// was made with Events::yes.
    template <typename... NamesAndValues>
    Transaction& event(std::string_view name, const NamesAndValues&... attributes) {
        append_event(name, std::nullopt, attributes...);
        return *this;
    }
    template <typename... NamesAndValues>
    Transaction& event_at(Time time, std::string_view name, const NamesAndValues&... attributes) {
        append_event(name, time, attributes...);
        return *this;
    }

    /// Now, or at a time, which may be one that is over or to come; with the end's attribute, by the name that its
    /// generator has for it.
    void end() { finish(std::nullopt); }
    void end_at(Time time) { finish(time); }
    template <typename T>
    void end(const T& value) {
        finish(std::nullopt, value);
    }
    template <typename T>
    void end_at(Time time, const T& value) {
        finish(time, value);
    }

private:
    template <typename, typename>
    friend class Generator;
    Transaction(detail::CorePointer core, std::uint64_t id, std::uint32_t place, std::uint32_t generator)
        : core_(std::move(core)), id_(id), place_(place), generator_(generator) {}

    void swap(Transaction& other) noexcept {
        core_.swap(other.core_);
        std::swap(id_, other.id_);
        std::swap(place_, other.place_);
        std::swap(generator_, other.generator_);
    }
    static Transaction begin(const detail::CorePointer& core, std::uint32_t generator, std::optional<Time> time);
    template <typename T>
    static Transaction begin(const detail::CorePointer& core, std::uint32_t generator, std::optional<Time> time,
                             const T& value) {
        auto filling = detail::Filling::of_begin(core, generator, time);
        if (!filling) return {};
        filling(filling.name(), value).finish();
        return {core, filling.id(), filling.place(), generator};
    }
    template <typename... NamesAndValues>
    void append_event(std::string_view name, std::optional<Time> time, const NamesAndValues&... attributes) {
        static_assert(sizeof...(attributes) % 2 == 0, "an attribute of an event is a name and a value");
        auto filling = detail::Filling::of_event(core_, id_, place_, generator_, name, time);
        if (!filling) return;
        append_each(filling, attributes...);
        filling.finish();
    }
    static void append_each(detail::Filling&) {}
    template <typename T, typename... Rest>
    static void append_each(detail::Filling& filling, std::string_view name, const T& value, const Rest&... rest) {
        append_each(filling(name, value), rest...);
    }
    void finish(std::optional<Time> time);
    template <typename T>
    void finish(std::optional<Time> time, const T& value) {
        if (auto filling = detail::Filling::of_end(core_, id_, place_, generator_, time))
            filling(filling.name(), value).finish();
    }

    detail::CorePointer core_;
    std::uint64_t id_ = 0;
    std::uint32_t place_ = 0, generator_ = 0;
};

/// A transaction whose end has an attribute of one type.
template <typename End>
class TransactionEnding : public Transaction {
public:
    TransactionEnding() = default;
    explicit TransactionEnding(Transaction transaction) : Transaction(std::move(transaction)) {}

    template <typename... NameAndValue>
    TransactionEnding& record(const NameAndValue&... attribute) {
        Transaction::record(attribute...);
        return *this;
    }
    template <typename NameOrRelation>
    TransactionEnding& relate(const NameOrRelation& relation, const Transaction& source) {
        Transaction::relate(relation, source);
        return *this;
    }
    template <typename... NamesAndValues>
    TransactionEnding& event(std::string_view name, const NamesAndValues&... attributes) {
        Transaction::event(name, attributes...);
        return *this;
    }
    template <typename... NamesAndValues>
    TransactionEnding& event_at(Time time, std::string_view name, const NamesAndValues&... attributes) {
        Transaction::event_at(time, name, attributes...);
        return *this;
    }
    void end() { Transaction::end(); }
    void end_at(Time time) { Transaction::end_at(time); }
    void end(const End& value) { Transaction::end(value); }
    void end_at(Time time, const End& value) { Transaction::end_at(time, value); }
};

/// Whether transactions of a generator may have moments: Transaction::event.
enum class Events : std::uint8_t { no, yes };

/// Begins transactions of one kind in one stream. `Begin` and `End` are the types of the attributes of begin and end;
/// void: any.
template <typename Begin = void, typename End = void>
class Generator {
public:
    using Begun = std::conditional_t<std::is_void_v<End>, Transaction, TransactionEnding<End>>;

    /// Where any type will do, nothing is one of these.
    struct AnyType {
        AnyType() = delete;
    };
    using BeginValue = std::conditional_t<std::is_void_v<Begin>, AnyType, Begin>;

    /// Begins nothing.
    Generator() = default;

    /// Now, or at a time, which may be one that is over or to come.
    [[nodiscard]] Begun begin() const { return Begun(Transaction::begin(core_, number_, std::nullopt)); }
    [[nodiscard]] Begun begin_at(Time time) const { return Begun(Transaction::begin(core_, number_, time)); }
    [[nodiscard]] Begun begin(const BeginValue& value) const {
        return Begun(Transaction::begin(core_, number_, std::nullopt, value));
    }
    [[nodiscard]] Begun begin_at(Time time, const BeginValue& value) const {
        return Begun(Transaction::begin(core_, number_, time, value));
    }
    template <typename T>
    requires(std::is_void_v<Begin>) [[nodiscard]] Begun begin(const T& value) const {
        return Begun(Transaction::begin(core_, number_, std::nullopt, value));
    }
    template <typename T>
    requires(std::is_void_v<Begin>) [[nodiscard]] Begun begin_at(Time time, const T& value) const {
        return Begun(Transaction::begin(core_, number_, time, value));
    }
    /// Off: what begins from now on is not recorded; what is open goes on.
    void set_recording(bool on) const;

private:
    friend class Stream;
    Generator(detail::CorePointer core, std::uint32_t number) : core_(std::move(core)), number_(number) {}

    detail::CorePointer core_;
    std::uint32_t number_ = 0;
};

/// A stream of transactions, such as a bus: the row in which a viewer shows them.
class Stream {
public:
    Stream() = default;

    /// The names are those of the attributes of begin and end: a struct's members go by "name.member", or by their own
    /// names where there is none. With events there is a second generator, "<name>.events", that holds them.
    template <typename Begin = void, typename End = void>
    [[nodiscard]] Generator<Begin, End> generator(std::string_view name, std::string_view begin_name = {},
                                                  std::string_view end_name = {}, Events events = Events::no) const {
        const std::uint32_t number = declare(name, begin_name, end_name, events);
        return number == nothing ? Generator<Begin, End>() : Generator<Begin, End>(core_, number);
    }
    /// As Generator::set_recording, of all generators.
    void set_recording(bool on) const;

private:
    friend class Database;
    Stream(detail::CorePointer core, std::uint32_t number) : core_(std::move(core)), number_(number) {}
    static constexpr std::uint32_t nothing = ~std::uint32_t{0};
    std::uint32_t declare(std::string_view name, std::string_view begin_name, std::string_view end_name,
                          Events events) const;

    detail::CorePointer core_;
    std::uint32_t number_ = 0;
};

// --- where it goes ---------------------------------------------------------------------------------------------------

/// What a BackEnd is told of objects. Valid during the call.
struct StreamFacts {
    std::uint64_t id;
    std::string_view name, kind;
};
struct GeneratorFacts {
    std::uint64_t id;
    std::uint64_t stream;
    std::string_view name;
};
struct TransactionFacts {
    std::uint64_t id;
    std::uint64_t generator, stream;
    Time begin;
    std::optional<Time> end;
};
/// Gets everything as it is recorded, in the order in which it is: the database, then streams and generators as they
/// are made, a transaction's begin, attributes, relations and end, and the database's end. Six functions, as recording
/// libraries for SystemC have six kinds of callbacks. Called with the database's lock held: records in others only.
class BackEnd {
public:
    virtual ~BackEnd() = default;
    virtual void database(std::string_view name, bool opened) { (void)name, (void)opened; }
    virtual void stream(const StreamFacts& stream) { (void)stream; }
    virtual void generator(const GeneratorFacts& generator) { (void)generator; }
    /// At its begin, when `end` is none, and at its end.
    virtual void transaction(const TransactionFacts& transaction) { (void)transaction; }
    virtual void attribute(const TransactionFacts& transaction, Phase phase, std::string_view name,
                           const Value& value) {
        (void)transaction, (void)phase, (void)name, (void)value;
    }
    virtual void relation(std::string_view name, std::uint64_t source, std::uint64_t sink) {
        (void)name, (void)source, (void)sink;
    }
};

/// Whether the file can be read before it is closed.
enum class Visibility : std::uint8_t {
    when_closed,  ///< it appears, whole, with close(); a crash leaves none of that name
    growing,      ///< it stands at its name from the beginning; a crash leaves what was flushed (FTR only)
};

struct Options {
    int exponent = -12;              ///< a tick lasts 10^exponent seconds; -18 to 3
    std::function<Time()> now = {};  ///< called with the lock held; none: the latest time that was given
    std::string format = {};         ///< "ftr", "txlog", "uscope", ...; empty: by the file's name
    std::map<std::string, std::string> format_options = {};  ///< as of hwtrace-convert, without the dashes
    std::optional<std::int64_t> epoch = {};                  ///< the time of creation, in seconds since 1970
    Visibility visibility = Visibility::when_closed;
    std::uint64_t flush_every = 0;  ///< of a growing file: a flush() each time that so many transactions ended; 0: none
    bool replace = true;            ///< a file of that name; else it is Error::usage
    std::function<void(const MisuseReport&)> on_misuse = {};  ///< called with the lock held
    std::vector<std::shared_ptr<BackEnd>> back_ends = {};
    std::string temporary_folder = {};  ///< for what is converted by close(); empty: TMPDIR, else /tmp
};

/// One recording. One that was moved from takes all calls and records nothing.
class Database {
public:
    /// Into a file of the format that its name says: .ftr, .txlog, .uscope, ... What is not FTR is recorded to a
    /// temporary file, and converted by close(); where that fails, its Error says where the FTR file is.
    explicit Database(const std::string& path, Options options = {});
    /// Into no file: for back ends alone.
    explicit Database(Options options = {});
    /// close(), whose Error nobody sees: call that before.
    ~Database();
    Database(Database&&) noexcept = default;
    Database& operator=(Database&&) noexcept;

    /// A stream of that name, which need not be the only one.
    [[nodiscard]] Stream stream(std::string_view name, std::string_view kind = {});
    /// The relation of that name, the same for equal names.
    [[nodiscard]] Relation relation(std::string_view name);
    /// As Generator::set_recording, of all streams.
    void set_recording(bool on);

    /// Puts everything that has ended into the file, and that on the disk. Where it is growing, that is readable then.
    void flush();
    /// Ends what is open (Misuse::not_finished) and makes the file whole. Once; later calls do nothing.
    void close();

    std::uint64_t misuses(Misuse misuse) const;
    /// Of close(): what the file's format has no place for, a line each; as hwtrace-convert says it.
    std::vector<std::string> losses() const;

private:
    void leave() noexcept;

    detail::CorePointer core_;
};

template <typename Begin, typename End>
void Generator<Begin, End>::set_recording(bool on) const {
    detail::set_generator_recording(core_, number_, on);
}

}  // namespace hwtrace::recording

#endif
