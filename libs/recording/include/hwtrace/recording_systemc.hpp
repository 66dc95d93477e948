// hwtrace/recording_systemc.hpp - records transactions of SystemC models. "Now" is the kernel's time, a tick is the
// kernel's resolution, and values of SystemC types can be attributes.
//
//     #include <hwtrace/recording_systemc.hpp>
//
//     hwtrace::recording::Database db("run.ftr", hwtrace::recording::kernel_time());    // after sc_set_time_resolution
//     auto stream = db.stream(name(), "transactor");
//     auto read = stream.generator<sc_dt::sc_uint<32>, sc_dt::sc_lv<8>>("read", "addr", "data");
//     auto transaction = read.begin(address);
//     wait(delay);
//     transaction.end_at(hwtrace::recording::ticks(sc_core::sc_time_stamp() + tail), data);
//
// Include this header before you record an attribute of a SystemC type. If the program uses another C++ standard than
// the installed SystemC library, define SC_CPLUSPLUS as the library's (Debian: -DSC_CPLUSPLUS=201703L); otherwise
// SystemC does not link.
#ifndef HWTRACE_RECORDING_SYSTEMC_HPP
#define HWTRACE_RECORDING_SYSTEMC_HPP

#include <hwtrace/recording.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>

namespace hwtrace::recording {

/// Returns `time` in ticks of a Database with kernel_time().
inline Time ticks(const sc_core::sc_time& time) noexcept {
    return time.value();
}

/// Returns `options` with the kernel's resolution as the tick and sc_time_stamp() as the current time. After that, the
/// resolution cannot be changed. Only the kernel's thread may use the current time; other threads pass explicit times.
inline Options kernel_time(Options options = {}) {
    const double seconds = sc_core::sc_get_time_resolution().to_seconds();
    [[maybe_unused]] const sc_core::sc_time fixes_the_resolution(seconds, sc_core::SC_SEC);
    options.exponent = static_cast<int>(std::lround(std::log10(seconds)));
    options.now = [] { return ticks(sc_core::sc_time_stamp()); };
    return options;
}

// --- attributes ------------------------------------------------------------------------------------------------------

namespace detail {

/// Records an integer of any width. Integers of up to 64 bits become numbers. Wider integers become bit vectors in
/// two's complement.
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

template <typename T, typename... Bases>
using IfAnyOf = std::enable_if_t<(std::is_base_of_v<Bases, T> || ...), int>;

/// SystemC's types for bits and ranges of integers. Both are unsigned.
template <typename T>
using IntegerBit =
    IfAnyOf<T, sc_dt::sc_int_bitref_r, sc_dt::sc_uint_bitref_r, sc_dt::sc_signed_bitref_r, sc_dt::sc_unsigned_bitref_r>;
template <typename T>
using NarrowRange = IfAnyOf<T, sc_dt::sc_int_subref_r, sc_dt::sc_uint_subref_r>;
template <typename T>
using WideRange = IfAnyOf<T, sc_dt::sc_signed_subref_r, sc_dt::sc_unsigned_subref_r>;

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
template <typename Bit, detail::IntegerBit<Bit> = 0>
void describe(Fields& fields, const Bit& value) {
    fields({}, value.to_bool());
}
template <typename Range, detail::NarrowRange<Range> = 0>
void describe(Fields& fields, const Range& value) {
    fields({}, static_cast<std::uint64_t>(value.to_uint64()));
}
template <typename Range, detail::WideRange<Range> = 0>
void describe(Fields& fields, const Range& value) {
    detail::describe_wide(fields, value.operator sc_dt::sc_unsigned(), false);
}
inline void describe(Fields& fields, const sc_dt::sc_concatref& value) {
    detail::describe_wide(fields, value.value(), false);
}
/// Records a vector, or a range or concatenation of vectors.
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
/// Records a time in the kernel's ticks.
inline void describe(Fields& fields, const sc_core::sc_time& value) {
    fields({}, Ticks{ticks(value)});
}
/// Records the current value of a signal or of its port.
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
/// Records the result of fixed-point arithmetic.
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
