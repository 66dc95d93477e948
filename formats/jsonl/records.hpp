// formats/jsonl/records.hpp - converts lines to records of the model and declares tracks that no line declares
// (README.md#records).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "declarations.hpp"
#include "lines.hpp"
#include "model/record.hpp"
#include "tracks.hpp"
#include "values.hpp"

namespace hwtrace::jsonl {

/// Converts record lines to records.
class Records {
public:
    /// All arguments must outlive this object.
    Records(Schema& schema, Lines& lines, Tracks& tracks, Values& values, const Declarations& declarations)
        : schema_(schema), lines_(lines), tracks_(tracks), values_(values), declarations_(declarations) {}

    /// Appends the record of the current line. Reports a finding, and appends nothing, if the line is no valid record.
    void put(Batch& batch);
    std::uint64_t count() const noexcept { return count_; }
    /// Returns the number of restated records, which count() includes.
    std::uint64_t restated() const noexcept { return restated_; }

private:
    /// The members that records of every kind may have; null if missing.
    struct Common {
        const JsonValue* type = nullptr;
        const JsonValue* time = nullptr;
        const JsonValue* track = nullptr;
        const JsonValue* track_id = nullptr;
        const JsonValue* scope = nullptr;
        const JsonValue* duration = nullptr;
        std::uint8_t flags = 0;
    };

    Common take_common();
    std::optional<Kind> kind_of(const Common& common);
    std::optional<TrackId> track_of(const Common& common, std::optional<Kind>& kind);
    TrackId make_track(std::string_view name, const std::optional<std::string_view>& scope, Kind kind,
                       const Common& common);
    std::optional<Tick> time_of(const Common& common, TrackId track);
    void expect_no_unit(TrackId track, JsonValue time);
    std::optional<Tick> ticks(TrackId track, JsonValue value);
    Fit convert(const Field& field, JsonValue value, std::uint64_t& cell);
    Fit convert_in_range(const Field& field, JsonValue value, std::uint64_t& cell);

    bool event(TrackId& track, Tick time, Kind kind, Batch& batch);
    bool interval(TrackId track, Tick time, const Common& common, Batch& batch);
    bool change(TrackId track, Tick time, Batch& batch);
    bool slot(TrackId track, Tick time, Kind kind, Batch& batch);
    bool instruction(TrackId track, Tick time, Batch& batch);
    bool bytes(TrackId track, Tick time, Kind kind, Batch& batch);

    void fixed_value(TrackId& track, JsonMember member);
    void rows(TrackId track, JsonValue rows);
    bool row(TrackId track, JsonValue row);
    std::uint32_t add_field(TrackId& track, std::string_view key, JsonValue value);
    void widen(TrackId& track, std::uint32_t field, Type type);
    void missing_cells(TrackId track, std::size_t from, std::span<std::uint64_t> cells);
    void attribute(TrackId track, std::string_view key, JsonValue value);
    void attribute_value(TrackId track, std::uint32_t field, JsonValue value);
    void empty_list(TrackId track, std::uint32_t field);
    void attributes(TrackId track, JsonValue all);
    std::uint32_t field_for(TrackId track, std::string_view key, JsonValue value);

    bool operand(JsonValue object, Batch& batch);
    bool access(JsonValue object, Batch& batch);
    bool words(JsonValue list);     // fills cells_
    bool order(JsonValue letters);  // fills parts_

    void wrong(std::string_view member, const JsonValue* value);
    void unknown_member(std::string_view key);

    Schema& schema_;
    Lines& lines_;
    Tracks& tracks_;
    Values& values_;
    const Declarations& declarations_;
    std::vector<JsonMember> rest_;  ///< the members that are not in Common
    std::vector<std::uint64_t> cells_;
    std::vector<bool> given_;  ///< for each fixed field of an event: true if it has a value
    std::vector<Attribute> attributes_;
    std::vector<Part> parts_;
    std::vector<std::byte> bytes_;
    std::string scratch_, scope_scratch_, key_scratch_;
    std::uint32_t expected_ = 0;                        ///< the next field, if the record follows the track's order
    TimeBase last_base_{TimeBase::Kind::cycles, 1, 0};  ///< time base of the last record that stated a time
    Tick last_time_ = 0;
    std::uint64_t count_ = 0, restated_ = 0;
};

}  // namespace hwtrace::jsonl
