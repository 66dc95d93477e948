// compare/comparable_records.hpp - the canonical form of records for comparison: equal records have equal bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "compare/correspondence.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// The canonical form of a record. `parts` holds everything except the times: the kind, then each value with the id of
/// its name. Equal numbers have equal bytes even if their types differ. Enum labels and texts are stored as bytes.
struct ComparableRecord {
    std::uint32_t track = 0;     ///< id in the Correspondence
    WideTick time = 0;           ///< in ticks of the record's track in its trace
    std::uint64_t duration = 0;  ///< duration of an interval, in the same ticks
    std::uint64_t position = 0;  ///< position in the trace, from 0
    std::span<const std::byte> parts;
};

/// Converts the records of one trace to ComparableRecord.
class ComparableRecords {
public:
    /// `correspondence` must outlive this object. `side` is the trace's index in `correspondence`.
    ComparableRecords(Correspondence& correspondence, std::size_t side)
        : correspondence_(correspondence), side_(side) {}

    /// Converts a record to `made`, except `made.position`. Returns false if the record is ignored (see Ignored).
    /// `made.parts` is valid until the next call.
    bool make(const Batch& batch, const Record& record, ComparableRecord& made);

private:
    static constexpr std::uint32_t left_out = 0xFFFF'FFFF;  ///< replaces the id of an ignored name

    struct Columns {
        std::vector<std::uint32_t> fields, properties;  // ids of the column names
    };

    const Schema& schema() const noexcept { return correspondence_.schema(side_); }
    Columns& columns_of(const Track& track, TrackId id);
    std::uint32_t number_of(std::string_view name, std::string_view more = {});
    std::uint32_t number_of(const Operand& operand);

    /// Appends one part. `form` distinguishes strings from numbers with the same bytes: '"' for a string, '+', '-' or
    /// '.' for a number.
    void put(std::uint32_t name, std::string_view bytes, char form = '"');
    void append_number(std::uint32_t name, std::uint64_t value, char form = '+');
    void append_cell(std::uint32_t name, const Field& field, std::uint64_t cell);
    void append_words(const Batch& batch, Slice words);
    void append_cells(const Batch& batch, const Record& record, const Track& track);
    void append_attributes(const Batch& batch, const Record& record, const Track& track);
    void append_instruction(const Batch& batch, const Record& record);

    Correspondence& correspondence_;
    std::size_t side_;
    std::vector<Columns> columns_;  // by TrackId
    std::array<std::vector<std::uint32_t>, std::size_t{4} * 3>
        operand_names_;  // by class and role, then by register number
    struct Names {
        bool known = false;
        std::uint32_t kind = 0, slot = 0, mark = 0, no_value = 0, pc = 0, encoding = 0, size = 0, target = 0, order = 0,
                      text = 0, bytes = 0, duration = 0;
        std::array<std::uint32_t, 3> access{};
    } names_;
    std::uint32_t met_kinds_ = 0;   // ignored kinds that occurred, a bit each
    std::vector<std::byte> bytes_;  // reused
    std::vector<char> words_;       // reused
};

/// Calls `visit(name, bytes)` for each part.
template <typename Visit>
void for_each_part(const ComparableRecord& record, Visit&& visit) {
    for (std::span<const std::byte> left = record.parts; !left.empty();) {
        std::uint32_t name = 0, size = 0;
        std::memcpy(&name, left.data(), sizeof name);
        std::memcpy(&size, left.data() + sizeof name, sizeof size);
        const std::span<const std::byte> bytes = left.subspan(sizeof name + sizeof size, size);
        visit(name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        left = left.subspan(sizeof name + sizeof size + size);
    }
}

/// Returns the names of the parts in which two records differ, without duplicates, such as "time" or "pc". Empty if the
/// records are equal.
std::vector<std::string> differing_parts(const Correspondence& correspondence, const ComparableRecord& first,
                                         const ComparableRecord& second);

/// Returns a hash of the track and of all parts for which `is_key(name)` is true. Records without such a part are
/// hashed by track only.
template <typename IsKey>
std::uint64_t key_of(const ComparableRecord& record, IsKey&& is_key) {
    std::uint64_t key = record.track;
    for_each_part(record, [&](std::uint32_t name, std::string_view bytes) {
        if (is_key(name)) key = key * 0x100'0000'01B3 + std::hash<std::string_view>{}(bytes);
    });
    return key * 0x9E37'79B9'7F4A'7C15 ^ key >> 29;
}

/// Returns true if the times of two records of `track` count as equal. Times without a common unit always count as
/// equal.
bool same_times(const Correspondence& correspondence, const CommonTrack& track, const ComparableRecord& first,
                const ComparableRecord& second) noexcept;

}  // namespace hwtrace
