// hwtrace/recording.hpp - records transactions with attributes, events and relations into FTR, transaction logs or
// another format of the suite. Needs C++17 and no simulator.
//
//     hwtrace::recording::Options options;
//     options.exponent = -9;
//     options.now = [&] { return cycle; };
//     hwtrace::recording::Database db("run.ftr", options);
//     auto bus = db.stream("bus", "transactor");
//     auto read = bus.generator<Address, Data>("read", "addr", "data");
//     auto transaction = read.begin(Address{0x1000});      // now
//     transaction.record("length", 64).relate("follows", earlier);
//     transaction.end(Data{...});
//     db.close();
//
// Threads: any thread may use any object at any time. Each call holds the database's lock.
//
// Errors: only the constructor of a Database, flush() and close() throw, and they throw only Error, for failures of the
// file. If writing fails in another call, nothing more is recorded, and the next flush() or close() throws the Error.
// The data recorded so far is kept in the file that the Error names.
//
// Misuse: a misused call (see Misuse) throws nothing. It is counted, reported to Options::on_misuse, and has only the
// effect that Misuse states.
//
// Callbacks: the database calls the program's functions (clock, listener, back ends, describe) with the lock held.
// Callbacks must not throw. They must not record into the same database: such calls are misuse. They may record into
// other databases, whose callbacks may record into this one. A call that would deadlock is refused.
//
// Lifetime: streams, generators and transactions are small copyable handles. They may outlive the database, which then
// makes no more callbacks. In a forked child, the handles record nothing.
#ifndef HWTRACE_RECORDING_HPP
#define HWTRACE_RECORDING_HPP

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hwtrace::recording {

/// A point in time or a duration, in ticks of the Database (see Options::exponent).
using Time = std::uint64_t;

/// Thrown if the file cannot be written, or cannot be written with the chosen options.
class Error : public std::runtime_error {
public:
    enum class Kind : std::uint8_t {
        usage,  ///< an invalid option or file name
        io,     ///< open, write, rename, disk full
        limit,  ///< a limit of the format is exceeded
        bug,    ///< a fault of this library
    };
    Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    Kind kind() const noexcept { return kind_; }

private:
    Kind kind_;
};

/// The kinds of misused calls. A misused call has no effect except the one stated here.
enum class Misuse : std::uint8_t {
    ended,         ///< an attribute, event or second end of a transaction that has ended
    closed,        ///< the database is closed
    foreign,       ///< a transaction or relation of another database
    ends_early,    ///< an end before the start: the transaction ends at its start time
    beyond_time,   ///< a time above 2^63 - 1: it is recorded as 2^63 - 1
    no_events,     ///< an event, but the generator has none
    not_finished,  ///< a transaction that is open when the database is closed, or that has no handle because describe()
                   ///< threw at its start: it ends at that time, with the attribute `unfinished`
    nested,        ///< a call from a function that the database is calling: clock, listener, back end, describe()
    no_vector,     ///< a vector with invalid digits: it is recorded as a string
};
inline constexpr std::size_t misuse_kinds = 9;
std::string_view name_of(Misuse misuse) noexcept;

struct MisuseReport {
    Misuse misuse;
    std::uint64_t transaction;   ///< id of the transaction; 0: none
    std::string_view generator;  ///< name of the generator; empty: none
    std::string_view what;       ///< name of the attribute, relation or event; empty: none. Valid during the call
};

// --- values ----------------------------------------------------------------------------------------------------------

/// The label of an enumeration. C++ enumerations with a function name_of(E) need no Label.
struct Label {
    std::string_view name;
};
/// A vector of '0' and '1', most significant bit first.
struct BitVector {
    std::string_view digits;
};
/// A vector of '0', '1', 'X' and 'Z', most significant bit first. Lower-case letters are accepted.
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
/// An address in the program or in the model.
struct Pointer {
    std::uint64_t address;
};

/// One value of an attribute. Refers to strings without copying them.
class Value {
public:
    /// The types, numbered as in FTR.
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
    /// Returns the bits of a number: integers in two's complement, floating-point numbers as a double.
    std::uint64_t bits() const noexcept { return bits_; }

private:
    Type type_;
    std::uint64_t bits_ = 0;
    std::string_view text_;
};
std::string_view name_of(Value::Type type) noexcept;

/// The phase of a transaction in which an attribute is recorded.
enum class Phase : std::uint8_t { begin = 1, record, end };

class Fields;

namespace detail {

/// True if the expression `Expression<T>` is valid.
template <template <typename> typename Expression, typename T, typename = void>
inline constexpr bool is_valid = false;
template <template <typename> typename Expression, typename T>
inline constexpr bool is_valid<Expression, T, std::void_t<Expression<T>>> = true;

/// Returns "unnamed" if the name is empty.
inline std::string_view attribute_name(std::string_view name) noexcept {
    return name.empty() ? "unnamed" : name;
}

inline std::uint64_t bits_of(double value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
template <typename T>
Value value_of_integer(T value) noexcept {
    static_assert(sizeof(T) <= sizeof(std::uint64_t), "a number of more than 64 bits: convert it to a supported type");
    return {std::is_signed_v<T> ? Value::Type::integer : Value::Type::unsigned_integer,
            static_cast<std::uint64_t>(value)};  // extends the sign of signed numbers
}

template <typename T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename T>
using NameOf = std::enable_if_t<std::is_enum_v<T> &&
                                std::is_convertible_v<decltype(name_of(std::declval<T>())), std::string_view>>;
template <typename T>
using MemberDescribe = decltype(std::declval<const T&>().describe(std::declval<Fields&>()));
template <typename T>
using FunctionDescribe = decltype(describe(std::declval<Fields&>(), std::declval<const T&>()));
template <typename T>
using Native = std::enable_if_t<std::is_same_v<decltype(std::declval<const T&>().native()), const std::string&>>;
template <typename T>
using Key = typename T::key_type;
template <typename T>
using Mapped = typename T::mapped_type;

namespace with_begin {
using std::begin;
using std::end;
template <typename T>
using Element = decltype(*begin(std::declval<const T&>()));
template <typename T>
using Loop = decltype(begin(std::declval<const T&>()) != end(std::declval<const T&>()));
}  // namespace with_begin

template <typename T>
inline constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;

/// True for ranges whose elements have another type. A path is a range of paths.
template <typename T>
constexpr bool is_sequence() {
    if constexpr (is_valid<with_begin::Element, T> && is_valid<with_begin::Loop, T> && !is_text<T>)
        return !std::is_same_v<Plain<with_begin::Element<T>>, T>;
    else
        return false;
}
template <typename T>
constexpr bool is_map_of_names() {
    if constexpr (is_sequence<T>() && is_valid<Key, T> && is_valid<Mapped, T>)
        return is_text<Key<T>>;
    else
        return false;
}
template <typename T>
constexpr bool is_map_of_numbers() {
    if constexpr (is_sequence<T>() && is_valid<Key, T> && is_valid<Mapped, T>)
        return std::is_integral_v<Key<T>>;
    else
        return false;
}

template <template <typename...> typename Template, typename T>
inline constexpr bool is_a = false;
template <template <typename...> typename Template, typename... Types>
inline constexpr bool is_a<Template, Template<Types...>> = true;

template <typename T>
inline constexpr bool is_bitset = false;
template <std::size_t size>
inline constexpr bool is_bitset<std::bitset<size>> = true;

/// True for character types of one byte.
template <typename T>
inline constexpr bool is_character = std::is_same_v<T, char>;
template <typename T>
inline constexpr bool is_wide_character =
    std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
#ifdef __cpp_char8_t
template <>
inline constexpr bool is_character<char8_t> = true;
using Utf8View = std::basic_string_view<char8_t>;
#else
using Utf8View = std::string_view;
#endif

/// True for character arrays (char[n], std::array<char, n>). Their string ends at a NUL or at the end of the array.
template <typename T>
inline constexpr bool is_text_array = false;
template <typename T, std::size_t size>
inline constexpr bool is_text_array<T[size]> = is_character<T>;
template <typename T, std::size_t size>
inline constexpr bool is_text_array<std::array<T, size>> = is_character<T>;

/// Texts that become a Value without a call of the program's functions.
template <typename T>
inline constexpr bool is_plain_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

/// Other types that convert to a text.
template <typename T>
inline constexpr bool is_converted_text =
    !is_plain_text<T> && (is_text<T> || std::is_convertible_v<const T&, Utf8View>);

/// value_of() returns this for types that Fields records.
struct NoValue {};

/// Returns the Value of a number, a pointer, or a text, to which it refers. Returns NoValue for all other types, such
/// as those whose conversion calls a function of the program: such a function must be called during the recording.
template <typename T>
auto value_of(const T& value) {
    using Type = Value::Type;
    if constexpr (std::is_same_v<T, Value>) {
        return value;
    } else if constexpr (std::is_same_v<T, bool>) {
        return Value(Type::boolean, std::uint64_t{value});
    } else if constexpr (std::is_same_v<T, Label>) {
        return Value(Type::enumeration, value.name);
    } else if constexpr (std::is_same_v<T, BitVector>) {
        return Value(Type::bit_vector, value.digits);
    } else if constexpr (std::is_same_v<T, LogicVector>) {
        return Value(Type::logic_vector, value.digits);
    } else if constexpr (std::is_same_v<T, Fixed>) {
        return Value(Type::fixed_point, bits_of(value.value));
    } else if constexpr (std::is_same_v<T, UnsignedFixed>) {
        return Value(Type::unsigned_fixed_point, bits_of(value.value));
    } else if constexpr (std::is_same_v<T, Ticks>) {
        return Value(Type::time, value.value);
    } else if constexpr (std::is_same_v<T, Pointer>) {
        return Value(Type::pointer, value.address);
    } else if constexpr (is_valid<NameOf, T>) {
        return NoValue();
    } else if constexpr (std::is_enum_v<T>) {
        using Number = std::underlying_type_t<T>;
        if constexpr (is_character<Number>)
            return value_of_integer(static_cast<Number>(value));
        else
            return detail::value_of(static_cast<Number>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        static_assert(sizeof(T) <= sizeof(double), "a number of more than 64 bits: convert it to a supported type");
        return Value(Type::floating_point, bits_of(static_cast<double>(value)));
    } else if constexpr (is_character<T>) {
        return NoValue();
    } else if constexpr (std::is_integral_v<T>) {
        return value_of_integer(value);
    } else if constexpr (is_text_array<T>) {
        const auto* const begin = reinterpret_cast<const char*>(std::data(value));
        const char* const end = std::char_traits<char>::find(begin, std::size(value), '\0');  // null if no NUL
        const std::size_t size = end == nullptr ? std::size(value) : static_cast<std::size_t>(end - begin);
        return Value(Type::string, std::string_view(begin, size));
    } else if constexpr (std::is_null_pointer_v<T>) {
        return Value(Type::pointer, std::uint64_t{0});
    } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
        return Value(Type::string, value == nullptr ? std::string_view() : std::string_view(value));
    } else if constexpr (is_plain_text<T>) {
        return Value(Type::string, std::string_view(value));
    } else if constexpr (is_converted_text<T>) {
        return NoValue();
    } else if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>) {
        return Value(Type::pointer, reinterpret_cast<std::uintptr_t>(value));
    } else if constexpr (std::is_pointer_v<T>) {
        return Value(Type::pointer, reinterpret_cast<std::uintptr_t>(static_cast<const volatile void*>(value)));
    } else {
        return NoValue();
    }
}
template <typename T>
inline constexpr bool is_one_value = std::is_same_v<decltype(detail::value_of(std::declval<const T&>())), Value>;

}  // namespace detail

/// Collects the parts of an attribute. A struct lists its members in a function `describe(fields, value)` in its
/// namespace, or in a member `value.describe(fields)`:
///
///     void describe(hwtrace::recording::Fields& fields, const Address& a) {
///         fields("addr", a.addr)("length", a.length);
///     }
///
/// Names are "outer.inner" for members, "outer[0]" for elements of arrays, and "outer.key" for elements of maps. An
/// enumeration is recorded as a label if its namespace has a function `name_of(value)`, otherwise as a number. An empty
/// optional is omitted. A duration is recorded as a time, rounded to the nearest tick. Numbers of more than 64 bits do
/// not compile.
class Fields {
public:
    /// A function that receives one value and the full name. Both are valid only during the call.
    using Sink = void (*)(void* context, std::string_view name, const Value& value);
    /// A tick lasts 10^exponent seconds.
    Fields(Sink sink, void* context, int exponent = -12) noexcept
        : sink_(sink), context_(context), exponent_(exponent) {}

    template <typename T>
    Fields& operator()(std::string_view name, const T& value) {
        if (name_.empty()) {
            name_ = name;
            put(value);
            name_ = {};
        } else if (name.empty()) {
            put(value);
        } else {
            put_inner(".", name, {}, value);
        }
        return *this;
    }

private:
    template <typename T>
    void put(const T& value) {
        if constexpr (detail::is_one_value<T>)
            emit(detail::value_of(value));
        else if constexpr (detail::is_valid<detail::NameOf, T>)
            emit(Value(Value::Type::enumeration, std::string_view(name_of(value))));
        else if constexpr (detail::is_character<T>)
            put_character(static_cast<char>(value));
        else if constexpr (detail::is_converted_text<T>)
            put_text(value);
        else
            put_parts(value);
    }
    template <typename T>
    void put_text(const T& value) {
        if constexpr (detail::is_text<T>) {
            emit({Value::Type::string, std::string_view(value)});
        } else {
            const detail::Utf8View text(value);
            emit({Value::Type::string, std::string_view(reinterpret_cast<const char*>(text.data()), text.size())});
        }
    }
    /// Puts a value of a type that consists of other values, holds one, or states how it is recorded.
    template <typename T>
    void put_parts(const T& value) {
        if constexpr (detail::is_a<std::optional, T>) {
            if (value) put(*value);
        } else if constexpr (detail::is_valid<detail::MemberDescribe, T>) {
            value.describe(*this);
        } else if constexpr (detail::is_valid<detail::FunctionDescribe, T>) {
            describe(*this, value);
        } else if constexpr (detail::is_a<std::chrono::duration, T>) {
            append_duration(value);
        } else if constexpr (detail::is_bitset<T>) {
            emit({Value::Type::bit_vector, std::string_view(value.to_string())});
        } else if constexpr (detail::is_a<std::atomic, T>) {
            put(value.load());
        } else if constexpr (std::is_same_v<T, std::vector<bool>::reference>) {
            put(static_cast<bool>(value));
        } else if constexpr (detail::is_valid<detail::Native, T>) {
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
            // Write nothing, as for an empty optional.
        } else if constexpr (detail::is_map_of_names<T>()) {
            for (const auto& [key, element] : value)
                (*this)(key, element);
        } else if constexpr (detail::is_map_of_numbers<T>()) {
            for (const auto& [key, element] : value)
                append_element(std::to_string(key), element);
        } else {
            static_assert(detail::is_sequence<T>(), "give the type a function describe(Fields&, const T&)");
            if constexpr (detail::is_sequence<T>()) append_elements(value);
        }
    }
    /// Emits a string of one character. A character outside printable ASCII becomes its escape sequence, as in C++.
    void put_character(char value);
    template <typename T>
    void append_elements(const T& value) {
        using Element = detail::Plain<detail::with_begin::Element<T>>;
        static_assert(!detail::is_wide_character<Element>, "a string must consist of char or char8_t");
        if constexpr (detail::is_character<Element>) {
            std::string text;
            for (const Element element : value)
                text += static_cast<char>(element);
            emit({Value::Type::string, std::string_view(text)});
        } else {
            std::size_t index = 0;
            for (const auto& element : value)
                append_element(std::to_string(index++), element);
        }
    }
    template <typename T>
    void append_element(const std::string& index, const T& value) {
        put_inner("[", index, "]", value);
    }
    /// Puts a value under the current name with a suffix.
    template <typename T>
    void put_inner(std::string_view before, std::string_view name, std::string_view behind, const T& value) {
        const std::string_view outer = name_;
        const std::size_t size = outer.size();
        const bool is_joined = is_joined_;
        if (!is_joined) joined_.assign(outer);
        joined_.append(before).append(name).append(behind);
        name_ = joined_;
        is_joined_ = true;
        put(value);
        joined_.resize(size);
        name_ = is_joined ? std::string_view(joined_) : outer;
        is_joined_ = is_joined;
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
    /// Emits `count` * `num` / `den` seconds.
    void emit_ticks(bool is_negative, std::uint64_t count, std::uint64_t num, std::uint64_t den);
    void emit_ticks(long double count, std::uint64_t num, std::uint64_t den);
    void emit(const Value& value) { sink_(context_, detail::attribute_name(name_), value); }

    Sink sink_;
    void* context_;
    int exponent_;
    std::string_view name_;    ///< the current name
    std::string joined_ = {};  ///< the memory of a name with several parts
    bool is_joined_ = false;   ///< name_ refers to joined_
};

// --- objects ---------------------------------------------------------------------------------------------------------

namespace detail {

class Core;
using CorePointer = std::shared_ptr<Core>;

/// One call that records attributes of a transaction. Holds the database's lock, so that calls of other threads cannot
/// interleave.
class Filling {
public:
    // The result converts to false if nothing is recorded. Misuse is reported.
    static Filling of_record(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                             std::string_view name);
    static Filling of_begin(const CorePointer& core, std::uint32_t generator, std::optional<Time> time);
    static Filling of_event(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                            std::string_view name, std::optional<Time> time);
    static Filling of_end(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                          std::optional<Time> time);
    /// Completes the call after an exception: records the event or the end, or ends the transaction that was begun.
    ~Filling() {
        if (core_ != nullptr) give_up();
    }
    Filling(const Filling&) = delete;
    Filling& operator=(const Filling&) = delete;

    explicit operator bool() const noexcept { return core_ != nullptr; }
    template <typename T>
    Filling& operator()(std::string_view name, const T& value) {
        Fields(&Filling::take, this, exponent_)(name, value);
        return *this;
    }
    void put(std::string_view name, const Value& value);
    // These two are whole calls with one attribute.
    static void record(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                       std::string_view name, const Value& value);
    static void end(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                    std::optional<Time> time, const Value& value);
    /// Returns the name of the begin or end attribute.
    std::string_view name() const;
    std::uint64_t id() const noexcept { return id_; }
    std::uint32_t place() const noexcept { return place_; }
    /// Ends the call after the last attribute.
    void finish() { finish(work_); }

private:
    enum class Work : std::uint8_t { record, begin, event, end, unfinished };
    Filling(const CorePointer& core, Work work, Phase phase, std::uint64_t id, std::uint32_t place,
            std::uint32_t generator, std::optional<Time> time);
    static void take(void* filling, std::string_view name, const Value& value);
    void finish(Work work);
    void give_up() noexcept;

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

/// A kind of relation. Database::relation() creates it.
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

/// A handle of one transaction. A default-constructed handle, or one begun while recording was off, accepts all calls
/// and records nothing.
class Transaction {
public:
    Transaction() = default;
    Transaction(const Transaction&) = default;
    Transaction& operator=(const Transaction&) = default;
    /// `other` becomes a default-constructed handle.
    Transaction(Transaction&& other) noexcept : Transaction() { swap(other); }
    Transaction& operator=(Transaction&& other) noexcept {
        Transaction(std::move(other)).swap(*this);
        return *this;
    }
    ~Transaction() = default;

    /// Returns the id of the transaction in the database, from 1; 0 if it is not recorded.
    std::uint64_t id() const noexcept { return id_; }
    /// Returns true if the transaction is recorded and has not ended.
    bool is_open() const;

    /// Records one attribute, or several if `value` is a struct or an array. The transaction must be open.
    template <typename T>
    Transaction& record(std::string_view name, const T& value) {
        if (id_ == 0) return *this;
        if constexpr (detail::is_one_value<T>)
            detail::Filling::record(core_, id_, place_, generator_, name, detail::value_of(value));
        else if (auto filling = detail::Filling::of_record(core_, id_, place_, generator_, name))
            filling(name, value).finish();
        return *this;
    }
    /// Records the members of a struct under their names. Any other value gets the name "unnamed".
    template <typename T>
    Transaction& record(const T& value) {
        return record(std::string_view(), value);
    }
    /// Records a relation from `source` to this transaction. Both may have ended.
    Transaction& relate(std::string_view relation, const Transaction& source);
    Transaction& relate(const Relation& relation, const Transaction& source);

    /// Records an event with attributes, now or at `time`: event("stall", "reason", "full", "entries", 4). The
    /// generator must have been created with Events::yes.
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

    /// Ends the transaction now, or at `time`, which may be in the past or future. `value` is recorded under the
    /// generator's name for end attributes.
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
        if constexpr (detail::is_one_value<T>) {
            return begin(core, generator, time, detail::value_of(value));
        } else {
            auto filling = detail::Filling::of_begin(core, generator, time);
            if (!filling) return {};
            filling(filling.name(), value).finish();
            return {core, filling.id(), filling.place(), generator};
        }
    }
    static Transaction begin(const detail::CorePointer& core, std::uint32_t generator, std::optional<Time> time,
                             const Value& value);
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
        if (id_ == 0) return;
        if constexpr (detail::is_one_value<T>)
            detail::Filling::end(core_, id_, place_, generator_, time, detail::value_of(value));
        else if (auto filling = detail::Filling::of_end(core_, id_, place_, generator_, time))
            filling(filling.name(), value).finish();
    }

    detail::CorePointer core_;
    std::uint64_t id_ = 0;
    std::uint32_t place_ = 0, generator_ = 0;
};

/// A transaction whose end attribute has the type `End`.
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

/// Selects whether transactions of a generator can have events (Transaction::event).
enum class Events : std::uint8_t { no, yes };

/// Begins transactions of one kind in one stream. `Begin` and `End` are the types of the begin and end attributes; void
/// accepts any type.
template <typename Begin = void, typename End = void>
class Generator {
public:
    using Begun = std::conditional_t<std::is_void_v<End>, Transaction, TransactionEnding<End>>;

    /// A type without values. It disables the overloads for a fixed type.
    struct AnyType {
        AnyType() = delete;
    };
    using BeginValue = std::conditional_t<std::is_void_v<Begin>, AnyType, Begin>;

    /// Creates a generator that records nothing.
    Generator() = default;

    /// Begins a transaction now, or at `time`, which may be in the past or future.
    [[nodiscard]] Begun begin() const { return Begun(Transaction::begin(core_, number_, std::nullopt)); }
    [[nodiscard]] Begun begin_at(Time time) const { return Begun(Transaction::begin(core_, number_, time)); }
    [[nodiscard]] Begun begin(const BeginValue& value) const {
        return Begun(Transaction::begin(core_, number_, std::nullopt, value));
    }
    [[nodiscard]] Begun begin_at(Time time, const BeginValue& value) const {
        return Begun(Transaction::begin(core_, number_, time, value));
    }
    template <typename T, typename Any = Begin, std::enable_if_t<std::is_void_v<Any>, int> = 0>
    [[nodiscard]] Begun begin(const T& value) const {
        return Begun(Transaction::begin(core_, number_, std::nullopt, value));
    }
    template <typename T, typename Any = Begin, std::enable_if_t<std::is_void_v<Any>, int> = 0>
    [[nodiscard]] Begun begin_at(Time time, const T& value) const {
        return Begun(Transaction::begin(core_, number_, time, value));
    }
    /// Switches recording of new transactions on or off; see Database::set_recording. Open transactions continue.
    void set_recording(bool on) const;

private:
    friend class Stream;
    Generator(detail::CorePointer core, std::uint32_t number) : core_(std::move(core)), number_(number) {}

    detail::CorePointer core_;
    std::uint32_t number_ = 0;
};

/// A stream of transactions, such as a bus. Viewers show it as a row.
class Stream {
public:
    Stream() = default;

    /// Creates a generator. `begin_name` and `end_name` name the begin and end attributes. Members of a struct are
    /// called "begin_name.member" and "end_name.member", or "member" if the name is empty. With Events::yes, a second
    /// generator "<name>.events" holds the events.
    template <typename Begin = void, typename End = void>
    [[nodiscard]] Generator<Begin, End> generator(std::string_view name, std::string_view begin_name = {},
                                                  std::string_view end_name = {}, Events events = Events::no) const {
        const std::uint32_t number = declare(name, begin_name, end_name, events);
        return number == nothing ? Generator<Begin, End>() : Generator<Begin, End>(core_, number);
    }
    /// Switches recording of new transactions on or off; see Database::set_recording.
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

// --- destinations ----------------------------------------------------------------------------------------------------

/// Descriptions of objects for a BackEnd. They are valid only during the call.
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
/// Receives everything that is recorded, in order: opening and closing of the database; streams and generators;
/// starts, attributes, relations and ends of transactions. The six functions correspond to the six kinds of callbacks
/// of SystemC recording libraries. They are called with the database's lock held and may record only into other
/// databases.
class BackEnd {
public:
    virtual ~BackEnd() = default;
    virtual void database(std::string_view name, bool opened) { (void)name, (void)opened; }
    virtual void stream(const StreamFacts& stream) { (void)stream; }
    virtual void generator(const GeneratorFacts& generator) { (void)generator; }
    /// Called at the start of a transaction, when `end` is empty, and again at its end.
    virtual void transaction(const TransactionFacts& transaction) { (void)transaction; }
    virtual void attribute(const TransactionFacts& transaction, Phase phase, std::string_view name,
                           const Value& value) {
        (void)transaction, (void)phase, (void)name, (void)value;
    }
    virtual void relation(std::string_view name, std::uint64_t source, std::uint64_t sink) {
        (void)name, (void)source, (void)sink;
    }
};

/// Selects when the file appears under its final name.
enum class Visibility : std::uint8_t {
    when_closed,  ///< close() gives the complete file its name; a crash leaves no file of that name
    growing,      ///< the file has its name from the start; a crash leaves the flushed data (FTR, jsonl)
};

struct Options {
    int exponent = -12;              ///< a tick lasts 10^exponent seconds; -18 to 3
    std::function<Time()> now = {};  ///< current time; called with the lock held; empty: the latest explicit time
    std::string format = {};         ///< "ftr", "txlog", "uscope", ...; empty: from the file name
    std::map<std::string, std::string> format_options = {};  ///< options of hwtrace-convert, without "--"
    std::optional<std::int64_t> epoch = {};                  ///< time of creation, in seconds since 1970
    Visibility visibility = Visibility::when_closed;
    std::uint64_t flush_every = 0;  ///< growing files: calls flush() after this many ended transactions; 0: never
    bool replace = true;            ///< replaces an existing file; false: an existing file is Error::usage
    std::function<void(const MisuseReport&)> on_misuse = {};  ///< called with the lock held
    std::vector<std::shared_ptr<BackEnd>> back_ends = {};
    std::string temporary_folder = {};  ///< folder for files that close() converts; empty: TMPDIR, else /tmp
};

/// A recording. A moved-from database accepts all calls and records nothing.
class Database {
public:
    /// Records into a file whose extension selects the format: .ftr, .txlog, .uscope, ... Formats other than FTR and
    /// jsonl are recorded into a temporary FTR file, which close() converts. If the conversion fails, the Error names
    /// the FTR file.
    explicit Database(const std::string& path, Options options = {});
    /// Records into the back ends only.
    explicit Database(Options options = {});
    /// Calls close() and ignores any Error. To handle errors, call close() first.
    ~Database();
    Database(Database&&) noexcept = default;
    Database& operator=(Database&&) noexcept;

    /// Creates a stream. Several streams may have the same name.
    [[nodiscard]] Stream stream(std::string_view name, std::string_view kind = {});
    /// Returns the relation with this name. Equal names give the same relation.
    [[nodiscard]] Relation relation(std::string_view name);
    /// Switches recording of new transactions on or off. A transaction is recorded only if its database, stream and
    /// generator are switched on.
    void set_recording(bool on);

    /// Writes all ended transactions to the disk. Other programs can then read them in a growing file.
    void flush();
    /// Ends open transactions (Misuse::not_finished) and completes the file. Later calls do nothing.
    void close();

    std::uint64_t misuses(Misuse misuse) const;
    /// Returns the losses and warnings of close(), one line each, as hwtrace-convert prints them.
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
