// formats/waveform/states.hpp - the states of a bit in the model, in VCD and in FST.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hwtrace::waveform {

/// Returns the character that a state of the model has in FST: one of 01xzhuwl-. Returns 0 for an unknown state.
constexpr char fst_state(char state) noexcept {
    constexpr std::string_view from = "01XZHUWL-xzhuwl", to = "01xzhuwl-xzhuwl";
    const std::size_t at = from.find(state);
    return at == std::string_view::npos ? '\0' : to[at];
}
/// Returns the character that a state of the model has in VCD: one of 01xz. `is_exact` becomes false if the state has
/// another meaning.
constexpr char vcd_state(char state, bool& is_exact) noexcept {
    switch (state) {
        case '0':
        case '1':
            return state;
        case 'X':
        case 'x':
            return 'x';
        case 'Z':
        case 'z':
            return 'z';
        default:
            break;
    }
    is_exact = false;
    return state == 'L' || state == 'l' ? '0' : state == 'H' || state == 'h' ? '1' : 'x';
}
/// Returns the state of the model for a character of a file, or 0 for another character.
constexpr char model_state(char character) noexcept {
    constexpr std::string_view from = "01xzhuwl-XZHUWL", to = "01XZHUWL-XZHUWL";
    const std::size_t at = from.find(character);
    return at == std::string_view::npos ? '\0' : to[at];
}
/// model_state() of every character.
inline constexpr auto model_states = [] {
    std::array<char, 256> states{};
    for (std::size_t c = 0; c < states.size(); ++c)
        states[c] = model_state(static_cast<char>(c));
    return states;
}();

}  // namespace hwtrace::waveform
