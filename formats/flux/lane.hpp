// formats/flux/lane.hpp - how to decode the usual samples of one item (see lanes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "layout.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

struct Context;
struct Item;

/// The prepared decoder of an item. It is valid while the epoch of its trace and the number of gaps stay the same.
struct Lane {
    enum class Kind : std::uint8_t {
        unfit,  ///< the item has no usual samples
        number,
        floating,
        vector,
        text,
        structure,
    };
    /// A member of a struct: a number or a text.
    struct Member {
        std::uint32_t head = 0, head_mask = 0;  ///< number and type as the stream stores them, in `head_size` bytes
        std::uint32_t head_size = 0;
        std::uint32_t sizes = 0;      ///< bit n is set if the value may have n bytes; 0: a text
        std::uint64_t sign_mask = 0;  ///< all bits are set if the value is signed
        std::uint64_t refused = 0;    ///< numbers with any of these bits are unusual
        std::uint32_t field = none;
    };

    std::uint32_t epoch = 0;  ///< 0: not prepared
    Kind kind = Kind::unfit;
    bool is_part = false;     ///< of a scattered signal
    std::uint8_t nibble = 0;  ///< kind of the usual value, see Nibble
    std::uint64_t gaps = 0;
    Context* context = nullptr;
    Record record = {};                        ///< a change with one value, without time and reference
    std::uint32_t field = none;                ///< the field of the value; for floats: that of 8 bytes
    std::uint32_t single = none;               ///< the field of floats of 4 bytes
    std::uint64_t sign_mask = 0, refused = 0;  ///< for a number, as in Member
    std::uint64_t states = 0;                  ///< a vector whose states are all 1
    std::vector<Member> members;
};

/// Prepares the decoding of the values that the item has had so far. If it has had none with a lane, the lane becomes
/// unfit. If `signed_integers` is false, the scan has to see negative integers (see Values::set_signed_integers).
void prepare_values(const Item& item, bool signed_integers, Lane& lane);

/// Adds the members of a struct sample that the lane does not know yet. If a member has no lane, such as an array, the
/// lane becomes unfit.
void add_members(const Item& item, bool signed_integers, Layout layout, std::span<const std::byte> bytes, Lane& lane);

}  // namespace hwtrace::flux
