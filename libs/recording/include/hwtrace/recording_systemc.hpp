// hwtrace/recording_systemc.hpp - records transactions of SystemC models: now is the kernel's time, in ticks of the
// kernel's resolution, whichever it is; values of SystemC's types are attributes.
//
//     #include <hwtrace/recording_systemc.hpp>
//
//     hwtrace::recording::Database db("run.ftr", hwtrace::recording::kernel_time());    // after sc_set_time_resolution
//     auto read = db.stream(name(), "transactor").generator<sc_dt::sc_uint<32>, sc_dt::sc_lv<8>>("read", "addr",
//     "data"); auto transaction = read.begin(address); wait(delay);
//     transaction.end_at(hwtrace::recording::ticks(sc_core::sc_time_stamp() + tail), data);
//
// Only this header needs SystemC; it is included before an attribute of one of these types is recorded. A program in
// C++20 says of which standard its SystemC library was built (Debian: -DSC_CPLUSPLUS=201703L): SystemC refuses to be
// linked else.
#ifndef HWTRACE_RECORDING_SYSTEMC_HPP
#define HWTRACE_RECORDING_SYSTEMC_HPP

#include <hwtrace/recording.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>

namespace hwtrace::recording {

/// In ticks of a Database with kernel_time().
inline Time ticks(const sc_core::sc_time& time) noexcept {
    return time.value();
}

/// `options` with the kernel's resolution, which cannot be changed any more from then on, and its time: what begins and
/// ends now does so at sc_time_stamp(). Now may be asked for by the kernel's thread alone: others give times.
inline Options kernel_time(Options options = {}) {
    const double seconds = sc_core::sc_get_time_resolution().to_seconds();
    [[maybe_unused]] const sc_core::sc_time fixes_the_resolution(seconds, sc_core::SC_SEC);
    options.exponent = static_cast<int>(std::lround(std::log10(seconds)));
    options.now = [] { return ticks(sc_core::sc_time_stamp()); };
    return options;
}

// --- attributes ------------------------------------------------------------------------------------------------------

namespace detail {

/// Integers of any width: numbers as far as they have 64 bits, else vectors in two's complement.
template <typename Integer>
void describe_wide(Fields& fields, const Integer& value, bool is_signed) {
    constexpr int widest_number = 64;
    if (value.length() <= widest_number) {
        if (is_signed)
            fields({}, value.to_int64());
        else
            fields({}, value.to_uint64());
        return;
    }
    std::string digits;
    for (int bit = value.length(); bit-- > 0;)
        digits += value.test(bit) ? '1' : '0';
    fields({}, BitVector{digits});
}

/// Bits, ranges and concatenations of integers; bits and ranges have no sign.
template <typename T>
concept IntegerBit = std::derived_from<T, sc_dt::sc_int_bitref_r> || std::derived_from<T, sc_dt::sc_uint_bitref_r> ||
    std::derived_from<T, sc_dt::sc_signed_bitref_r> || std::derived_from<T, sc_dt::sc_unsigned_bitref_r>;
template <typename T>
concept NarrowRange = std::derived_from<T, sc_dt::sc_int_subref_r> || std::derived_from<T, sc_dt::sc_uint_subref_r>;
template <typename T>
concept WideRange =
    std::derived_from<T, sc_dt::sc_signed_subref_r> || std::derived_from<T, sc_dt::sc_unsigned_subref_r>;

}  // namespace detail

inline void describe(Fields& fields, const sc_dt::sc_int_base& value) {
    fields({}, static_cast<std::int64_t>(value.to_int64()));
}
inline void describe(Fields& fields, const sc_dt::sc_uint_base& value) {
    fields({}, static_cast<std::uint64_t>(value.to_uint64()));
}
inline void describe(Fields& fields, const sc_dt::sc_signed& value) {
    detail::describe_wide(fields, value, true);
}
inline void describe(Fields& fields, const sc_dt::sc_unsigned& value) {
    detail::describe_wide(fields, value, false);
}
template <detail::IntegerBit Bit>
void describe(Fields& fields, const Bit& value) {
    fields({}, value.to_bool());
}
template <detail::NarrowRange Range>
void describe(Fields& fields, const Range& value) {
    fields({}, static_cast<std::uint64_t>(value.to_uint64()));
}
template <detail::WideRange Range>
void describe(Fields& fields, const Range& value) {
    detail::describe_wide(fields, value.operator sc_dt::sc_unsigned(), false);
}
inline void describe(Fields& fields, const sc_dt::sc_concatref& value) {
    detail::describe_wide(fields, value.value(), false);
}
/// Vectors, their ranges and their concatenations.
template <typename Vector>
void describe(Fields& fields, const sc_dt::sc_proxy<Vector>& value) {
    if constexpr (std::is_same_v<typename sc_dt::sc_proxy<Vector>::value_type, bool>)
        fields({}, BitVector{value.to_string()});
    else
        fields({}, LogicVector{value.to_string()});
}
inline void describe(Fields& fields, const sc_dt::sc_bit& value) {
    fields({}, value.to_bool());
}
inline void describe(Fields& fields, const sc_dt::sc_logic& value) {
    const char digit = value.to_char();
    fields({}, LogicVector{{&digit, 1}});
}
template <typename Vector>
void describe(Fields& fields, const sc_dt::sc_bitref_r<Vector>& value) {
    if constexpr (std::is_same_v<typename sc_dt::sc_bitref_r<Vector>::value_type, bool>)
        fields({}, value.to_bool());
    else
        describe(fields, sc_dt::sc_logic(value.value()));
}
/// A time attribute, in the kernel's ticks.
inline void describe(Fields& fields, const sc_core::sc_time& value) {
    fields({}, Ticks{ticks(value)});
}
/// What a signal, or the port of one, has now.
template <typename T>
void describe(Fields& fields, const sc_core::sc_signal_in_if<T>& signal) {
    fields({}, signal.read());
}
template <typename T>
void describe(Fields& fields, const sc_core::sc_in<T>& port) {
    fields({}, port.read());
}
template <typename T>
void describe(Fields& fields, const sc_core::sc_inout<T>& port) {
    fields({}, port.read());
}
#ifdef SC_INCLUDE_FX
inline void describe(Fields& fields, const sc_dt::sc_fix& value) {
    fields({}, Fixed{value.to_double()});
}
inline void describe(Fields& fields, const sc_dt::sc_fix_fast& value) {
    fields({}, Fixed{value.to_double()});
}
/// What calculating with them gives.
inline void describe(Fields& fields, const sc_dt::sc_fxval& value) {
    fields({}, Fixed{value.to_double()});
}
inline void describe(Fields& fields, const sc_dt::sc_fxval_fast& value) {
    fields({}, Fixed{value.to_double()});
}
inline void describe(Fields& fields, const sc_dt::sc_ufix& value) {
    fields({}, UnsignedFixed{value.to_double()});
}
inline void describe(Fields& fields, const sc_dt::sc_ufix_fast& value) {
    fields({}, UnsignedFixed{value.to_double()});
}
#endif

}  // namespace hwtrace::recording

#endif
