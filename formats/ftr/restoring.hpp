// formats/ftr/restoring.hpp - converts transactions back into the source's records with the help of a SchemaMark.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "field_index.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "schema_mark.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::ftr {

/// Converts records of the plain schema (from the file's directory) into the schema of the mark. Items that are not in
/// the mark, for example from another tool, are copied unchanged.
class Restoring {
public:
    /// `plain` must already have its streams and must outlive this object. The file's tick is 10^exponent seconds.
    Restoring(const Schema& plain, SchemaMark mark, std::int64_t exponent);

    Schema& schema() noexcept { return schema_; }
    /// Returns true if the transactions are numbered in the order of the source's records.
    bool numbers_tell_order() const noexcept { return numbers_tell_order_; }
    /// Appends a record with `start` and `end` in ticks of the file.
    void interval(TrackId track, std::uint64_t start, std::uint64_t end, std::span<const Attribute> attributes,
                  Batch& batch);
    void relation(TrackId track, Tick time, std::span<const std::uint64_t> cells, Batch& batch);

    /// Appends what the records so far have added to the schema, in order.
    void save(Appender& out) const;
    /// Adds what save() appended, before the first record. Throws Truncated or Failure::input if the plain schema lacks
    /// it.
    void restore(Cursor& in);

private:
    /// Describes how an attribute of the plain track is converted.
    struct Column {
        bool known = false;
        std::uint32_t field = none;  ///< field of the target track; none: the attribute is omitted
        Type type = Type::u64;       ///< type of the target's field
        EnumId enumeration = none;
        std::uint32_t as_it_is = none;  ///< field for unconverted values that do not fit `field`
    };
    struct Lane {
        bool known = false;
        TrackId target = none;
        bool made_numbers = false;
        Ratio ticks{1, 1};  ///< length of the target's tick in ticks of the file
        std::vector<Column> columns;
        FieldIndex fields;  ///< fields of the target
    };

    /// The first use of a part of the plain schema, which may add something to the schema.
    struct Use {
        enum class What : std::uint8_t { lane, column, as_it_is } what = What::lane;
        TrackId track = none;
        std::uint32_t field = 0;
    };

    Lane& lane_of(TrackId track);
    void keep_as_it_is(Lane& lane, TrackId track, std::uint32_t field);
    void make_lane(TrackId track, Lane& lane);
    std::uint32_t add_attribute(Lane& lane, Field field);
    Column& column_of(Lane& lane, TrackId track, std::uint32_t field);
    std::optional<std::uint64_t> cell(const Lane& lane, const Column& column, std::uint64_t value);
    std::optional<std::uint64_t> value_of(EnumId enumeration, StringId label);
    StringId text(StringId id);
    static Tick tick(const Lane& lane, std::uint64_t time) noexcept;

    const Schema& plain_;
    Schema schema_;
    HashMap<std::uint64_t, TrackId> by_generator_;  ///< tracks of the mark's streams, by generator id
    std::array<HashMap<std::string_view, TrackId>, 2>
        by_relation_;                 ///< tracks of the mark's relations, by name; without and with streams
    std::vector<bool> made_numbers_;  ///< index: track of the mark
    bool numbers_tell_order_ = false;
    std::vector<ScopeId> scopes_;  ///< index: plain scope; value: its target scope, used if the mark lacks it
    std::int64_t exponent_;
    std::vector<Lane> lanes_;  ///< index: plain track
    std::vector<Use> uses_;    ///< in order
    std::vector<StringId> texts_;
    struct Labels {
        HashMap<std::string_view, std::uint64_t> by_name;
        HashMap<StringId, std::optional<std::uint64_t>> by_text;  ///< results of earlier lookups
    };
    std::vector<std::optional<Labels>> labels_;  ///< index: enumeration
    std::vector<Attribute> attributes_;
    std::vector<std::uint64_t> cells_;
};

}  // namespace hwtrace::ftr
