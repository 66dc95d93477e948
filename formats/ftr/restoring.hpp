// formats/ftr/restoring.hpp - transactions of a file as the records that they were made of, by the file's SchemaMark.
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

namespace hwtrace::ftr {

/// Has the schema that the mark states, and gives records of the plain one, which the file's directory states, in it.
/// What the mark does not know, as another tool may have added it, comes as it is.
class Restoring {
public:
    /// `plain`, whose streams are known by now, outlives this object. `exponent`: of the file.
    Restoring(const Schema& plain, SchemaMark mark, std::int64_t exponent);

    Schema& schema() noexcept { return schema_; }
    /// Whether the numbers of transactions are those of the records in their source, in its order.
    bool numbers_tell_order() const noexcept { return numbers_tell_order_; }
    /// Appends the record; it begins in tick `start` of the file and ends in `end`.
    void interval(TrackId track, std::uint64_t start, std::uint64_t end, std::span<const Attribute> attributes,
                  Batch& batch);
    void relation(TrackId track, Tick time, std::span<const std::uint64_t> cells, Batch& batch);

private:
    /// What an attribute of the plain track becomes.
    struct Column {
        bool known = false;
        std::uint32_t field = none;  ///< of the target; none: it is left out
        Type type = Type::u64;       ///< of the target's field
        EnumId enumeration = none;
        std::uint32_t as_it_is = none;  ///< the field for values that do not fit the mark's one
    };
    struct Lane {
        bool known = false;
        TrackId target = none;
        bool made_numbers = false;
        Ratio ticks{1, 1};  ///< of the file, in one of the target
        std::vector<Column> columns;
        FieldIndex fields;  ///< of the target
    };

    Lane& lane_of(TrackId track);
    void make_lane(TrackId track, Lane& lane);
    std::uint32_t add_attribute(Lane& lane, Field field);
    Column& column_of(Lane& lane, TrackId track, std::uint32_t field);
    std::optional<std::uint64_t> cell(const Lane& lane, const Column& column, std::uint64_t value);
    std::optional<std::uint64_t> value_of(EnumId enumeration, StringId label);
    StringId text(StringId id);
    static Tick tick(const Lane& lane, std::uint64_t time) noexcept;

    const Schema& plain_;
    Schema schema_;
    HashMap<std::uint64_t, TrackId> by_generator_;                   ///< marked streams
    std::array<HashMap<std::string_view, TrackId>, 2> by_relation_;  ///< marked relations, without and with streams
    std::vector<bool> made_numbers_;                                 ///< by marked track
    bool numbers_tell_order_ = false;
    std::vector<ScopeId> scopes_;  ///< of plain scopes that the mark does not know
    std::int64_t exponent_;
    std::vector<Lane> lanes_;  ///< by plain track
    std::vector<StringId> texts_;
    struct Labels {
        HashMap<std::string_view, std::uint64_t> by_name;
        HashMap<StringId, std::optional<std::uint64_t>> by_text;  ///< what has been asked for
    };
    std::vector<std::optional<Labels>> labels_;  ///< by enumeration
    std::vector<Attribute> attributes_;
    std::vector<std::uint64_t> cells_;
};

}  // namespace hwtrace::ftr
