// domain/few_instructions.hpp - the instructions of a short trace, such as a slice around a place. A picture shows them
// one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/number_text.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// An instruction in a picture.
struct ShownInstruction {
    Tick begin = 0, end = 0;                  ///< times of the picture
    std::optional<std::uint64_t> position{};  ///< if the times of the trace are positions
    std::uint64_t pc = 0, encoding = 0;

    /// Returns "#1994 0x80000010", or the pc alone.
    std::string label() const {
        const std::string address = hexadecimal_text(pc);
        return position ? "#" + std::to_string(*position) + " " + address : address;
    }
};

/// Keeps the instructions of a hart, unless there are too many.
class FewInstructions {
public:
    static constexpr std::size_t most = 10'000;

    /// Adds a record of the track. `begin` and `end` are times of the picture.
    void add(const Track& track, const Record& record, const Instruction& instruction, Tick begin, Tick end) {
        const bool is_numbered = track.time.kind == TimeBase::Kind::ordinal;
        if (++count_ <= most)
            kept_.push_back({begin, end,
                             is_numbered ? std::optional(static_cast<std::uint64_t>(record.time)) : std::nullopt,
                             record.value, instruction.encoding});
        else if (!kept_.empty())
            kept_ = {};
    }
    /// Returns the instructions in order; none if there are more than `most`.
    std::span<const ShownInstruction> all() const noexcept { return kept_; }

private:
    std::vector<ShownInstruction> kept_;
    std::uint64_t count_ = 0;
};

}  // namespace hwtrace
