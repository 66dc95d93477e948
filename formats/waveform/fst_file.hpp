// formats/waveform/fst_file.hpp - finds the blocks of an FST file, and reads its header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "fst_wire.hpp"
#include "io/input.hpp"
#include "rules.hpp"

namespace hwtrace::waveform {

/// Reports findings about the bytes of an FST file.
class FstFindings {
public:
    explicit FstFindings(Findings& findings) : findings_(findings) {}
    void report(FstCheck check, std::uint64_t offset, std::uint64_t length, std::string expected = {},
                std::string got = {}) const;
    /// States that all offsets are those of a decompressed file.
    void set_unpacked(std::uint64_t packed_size) noexcept { packed_size_ = packed_size; }

private:
    Findings& findings_;
    std::uint64_t packed_size_ = 0;  ///< 0: the file is not packed
};

/// Decodes an unsigned LEB128 number in front of `end` and moves `at` behind it. Returns false if there is none.
inline bool take_leb128(const std::byte*& at, const std::byte* end, std::uint64_t& value) noexcept {
    value = 0;
    for (unsigned shift = 0; at != end && shift < 64; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(*at++);
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return true;
    }
    return false;
}
/// Returns false if no data of `packed` bytes can unpack to `size` bytes.
constexpr bool may_unpack(std::uint64_t packed, std::uint64_t size) noexcept {
    constexpr std::uint64_t most = 1040;  // zlib; LZ4 and FastLZ compress less
    return size / most <= packed;
}
/// Decompresses zlib data, or copies data that is as large as `raw`. Returns false if it is damaged.
bool unpack_zlib(std::span<const std::byte> data, std::span<std::byte> raw) noexcept;

/// A block of a file.
struct FstBlock {
    fst::Block type = fst::Block::skip;
    std::uint64_t offset = 0;  ///< of its type
    std::uint64_t size = 0;    ///< without the type
};

/// The blocks of a file.
class FstFile {
public:
    /// Reads the header and finds all blocks. Reports and throws Failure::input if there is no header. `input` must
    /// outlive this object.
    FstFile(Input& input, const Settings& settings, FstFindings& findings);

    struct Header {
        std::uint64_t start = 0, end = 0, sections = 0;
        int exponent = -9;
        bool is_swapped = false;  ///< real numbers are big-endian
        std::string version = {}, date = {};
        std::int64_t time_zero = 0;
    };

    const Header& header() const noexcept { return header_; }
    const std::vector<FstBlock>& changes() const noexcept { return changes_; }
    const std::optional<FstBlock>& geometry() const noexcept { return geometry_; }
    const std::optional<FstBlock>& hierarchy() const noexcept { return hierarchy_; }
    std::uint64_t blackouts() const noexcept { return blackouts_; }
    /// Reads `count` bytes at `offset`, which must be inside the file.
    std::vector<std::byte> bytes_at(std::uint64_t offset, std::uint64_t count) const {
        return input().read_all_at(offset, static_cast<std::size_t>(count));
    }

private:
    const Input& input() const noexcept { return unpacked_ ? *unpacked_ : input_; }
    void unpack(const Settings& settings, FstFindings& findings);
    void read_header(const FstFindings& findings);
    void find_blocks(const FstFindings& findings);

    Input& input_;
    std::optional<Input> unpacked_;
    std::uint64_t size_ = 0;
    Header header_;
    std::vector<FstBlock> changes_;
    std::optional<FstBlock> geometry_, hierarchy_;
    std::uint64_t blackouts_ = 0;
};

}  // namespace hwtrace::waveform
