#include <array>

#include "convert/transform.hpp"

namespace hwtrace {

std::span<const Transform> raisings() noexcept {
    static constexpr std::array all{
        Transform{"rows", transforms::raise_rows},
        Transform{"cpu tables", transforms::raise_instructions},
        Transform{"retired instructions", transforms::raise_retired_instructions},
        Transform{"active tables", transforms::raise_intervals},
        Transform{"names", transforms::raise_names},
        Transform{"value tables", transforms::raise_value_tables},
        Transform{"held values", transforms::raise_held_values},
        Transform{"rows below", transforms::raise_rows},  // rows that signals or intervals held
        Transform{"transactions", transforms::raise_transactions},
    };
    return all;
}

std::span<const Transform> lowerings() noexcept {
    static constexpr std::array all{
        Transform{"cpu tables", transforms::lower_instructions},
        Transform{"value tables", transforms::make_value_tables},
        Transform{"held values", transforms::hold_values},
        Transform{"active tables", transforms::make_active_tables},
        Transform{"row intervals", transforms::make_row_intervals},
        Transform{"intervals", transforms::make_intervals},
        Transform{"signals", transforms::make_signals},
        Transform{"picoseconds", transforms::give_picoseconds},
    };
    return all;
}

}  // namespace hwtrace
