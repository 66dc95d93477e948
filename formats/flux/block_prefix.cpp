#include "block_prefix.hpp"

#include "io/fastlz.hpp"

namespace hwtrace::flux {

namespace {

/// Parses the sequences of an LZ4 block. Each one is a token, literals and a match (distance and length).
class Lz4Walk {
public:
    Lz4Walk(std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept : bytes_(bytes), left_(raw_size) {}

    bool may_go_on() noexcept {
        while (at_ < bytes_.size()) {
            const unsigned token = next();
            std::uint64_t literals = token >> 4;
            if (literals == long_length && !lengthen(literals)) return true;
            if (literals > left_) return false;
            if (literals >= bytes_.size() - at_) return true;
            pass(literals);
            at_ += static_cast<std::size_t>(literals);
            if (bytes_.size() - at_ < distance_size) return left_ != 0;
            const unsigned low = next();
            const std::uint64_t distance = low | next() << 8;
            if (distance == 0 || distance > made_) return false;
            std::uint64_t repeated = token & long_length;
            if (repeated == long_length && !lengthen(repeated)) return true;
            repeated += shortest_match;
            if (repeated > left_) return false;
            pass(repeated);
        }
        return left_ != 0;
    }

private:
    static constexpr unsigned long_length = 15, longest_byte = 255, shortest_match = 4;
    static constexpr std::size_t distance_size = 2;

    unsigned next() noexcept { return std::to_integer<unsigned>(bytes_[at_++]); }
    void pass(std::uint64_t count) noexcept {
        made_ += count;
        left_ -= count;
    }
    /// Adds the extra bytes of a length. Returns false if the block ends inside them.
    bool lengthen(std::uint64_t& length) noexcept {
        for (unsigned more = longest_byte; more == longest_byte; length += more) {
            if (at_ == bytes_.size()) return false;
            more = next();
        }
        return true;
    }

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    std::uint64_t made_ = 0, left_;
};

}  // namespace

bool may_begin_block(Pack mode, std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept {
    if (mode == Pack::lz4) return Lz4Walk(bytes, raw_size).may_go_on();
    return mode == Pack::fastlz && may_begin_fastlz(bytes, raw_size);
}

}  // namespace hwtrace::flux
