// formats/stf/group_order.hpp - computes the canonical order of an instruction's records. Only other orders are stored.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/record.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// The largest number of separate records in a group. A longer run is cut into blocks of this size, each with its own
/// order, so that neither reader nor writer holds the whole run.
inline constexpr std::size_t piece_records = 65'536;

/// Fills `order` with the canonical order of a group. Merges the separate records with target, operands and accesses.
/// `separate` has the descriptors of the separate records in stream order. Lower descriptors are first; among equal
/// descriptors, the instruction's target, operands and accesses are first.
inline void canonical_order(std::span<const Descriptor> separate, std::size_t targets, std::size_t operands,
                            std::size_t accesses, std::vector<Part>& order) {
    order.clear();
    std::size_t next = 0;
    const auto own = [&](Descriptor descriptor, Part part, std::size_t count) {
        for (; count > 0; --count) {
            for (; next < separate.size() && separate[next] < descriptor; ++next)
                order.push_back(Part::record);
            order.push_back(part);
        }
    };
    own(Descriptor::inst_pc_target, Part::target, targets);
    own(Descriptor::inst_reg, Part::operand, operands);
    own(Descriptor::inst_mem_access, Part::access, accesses);
    order.insert(order.end(), separate.size() - next, Part::record);
}

}  // namespace hwtrace::stf
