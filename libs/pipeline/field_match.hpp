// pipeline/field_match.hpp - whether what records hold in their fields is what --select asks for.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "pipeline/criteria.hpp"

namespace hwtrace {

/// Compares fields of records with values, by the names that dumps show them by. Besides the fields that tracks declare
/// there are `duration` of intervals, `slot` of tables, `mark` of changes, `text` of notes, and of instructions `pc`,
/// `encoding`, `size`, `target`, registers such as `source:x5`, and of accesses `address`, `access_size`, `attributes`,
/// `data`, and `read` and `write`, the address of one of that type. A declared field of such a name counts instead.
///
/// A record fits where it has each field with a value that fits all that is asked of that field: of a field that
/// occurs several times one and the same value, and of accesses one and the same access. Where = is asked several
/// times of one field, one of these is enough. Numbers are compared exactly; enumerations by label, or by number; texts
/// as patterns; durations and fields of times in ticks, or in time or cycles where the value has a unit.
class FieldMatch {
public:
    /// `schema` outlives this object and may grow. `period_ps`: of a cycle, for tracks that do not say how long theirs
    /// is.
    FieldMatch(const Schema& schema, const std::vector<FieldCriterion>& criteria,
               std::optional<std::uint64_t> period_ps = {});

    bool any() const noexcept { return !names_.empty(); }
    /// Whether records of a track of `schema` may fit: they can have every field, with values that can be compared so.
    bool can_fit(const Schema& schema, const Track& track) const;
    /// The same of operations on the slots of a storage, and of sets of its properties.
    bool can_fit_rows(const Schema& schema, const Track& storage) const;
    bool can_fit_properties(const Schema& schema, const Track& storage) const;
    /// What is wrong where no track of `tracks` can fit: "no track has a field 'adr'; there are addr, size".
    std::string reason(const Schema& schema, const std::vector<TrackId>& tracks) const;

    /// Whether the record fits. Of a table, only sets of properties do.
    bool fits(const Batch& batch, const Record& record);
    /// Whether what the slot holds fits.
    bool fits_row(const StateTable& state, TrackId storage, std::uint32_t slot);

private:
    __extension__ using Number = __int128;

    /// A value that is asked for, in every form that it can be taken for.
    struct Asked {
        Operator comparison = Operator::equal;
        std::string text;
        std::optional<Number> whole;
        std::optional<double> real;
        std::optional<bool> truth;
        std::optional<std::uint64_t> time_ps, cycles;
    };
    /// What of an instruction a name stands for.
    enum class Part : std::uint8_t {
        nothing,
        pc,
        encoding,
        size,
        target,
        operand,
        address,
        read_address,
        write_address,
        access_size,
        attributes,
        data,
    };
    /// All that is asked of one name.
    struct Name {
        std::string name;
        std::vector<Asked> asked;
        Part part = Part::nothing;
        OperandRole role{};
        RegisterClass register_class{};
        std::uint16_t number = 0;

        bool is_of_access() const noexcept { return part >= Part::address; }
    };
    /// Where the fields of a name stand in the records of a track.
    struct Places {
        std::vector<std::uint32_t> fields, properties;  ///< whose values can be compared so
        bool declared = false;                          ///< the track has such a field
    };
    struct Columns {
        std::size_t fields = 0, properties = 0;  ///< that were looked at
        std::vector<Places> names;               ///< by name
        TimeBase base;
        std::uint64_t cycle_ps = 0;
    };

    static Asked asked(const FieldCriterion& criterion);
    static void find_part(Name& name);
    static bool can_compare(const Asked& asked, const Field& field, const TimeBase& base, std::uint64_t cycle_ps);
    bool can_compare_all(const Name& name, const Field& field, const TimeBase& base, std::uint64_t cycle_ps) const;
    bool can_fit_fields(const Schema& schema, const Track& track, const std::vector<Field>& fields,
                        std::string_view beside, const Field& beside_field) const;
    TimeBase base_of(const Track& track) const;

    std::partial_ordering compare(const Field& field, std::uint64_t cell, const Asked& asked,
                                  const Columns& columns) const;
    std::partial_ordering compare_ticks(std::uint64_t ticks, const Asked& asked, const Columns& columns) const;
    bool fits_all(const Name& name, const Field& field, std::uint64_t cell, const Columns& columns) const;
    bool fits_number(const Name& name, std::uint64_t value) const;
    bool fits_text(const Name& name, std::string_view text) const;

    Columns& columns_of(TrackId id);
    bool has_cell(std::size_t name, const Batch& batch, const Record& record, const Columns& columns) const;
    bool has_attribute(std::size_t name, const Batch& batch, const Record& record, const Columns& columns) const;
    bool has_property(std::size_t name, const Record& record, const Columns& columns) const;
    bool fits_instruction(const Batch& batch, const Record& record) const;
    bool fits_access(const Batch& batch, const Access& access) const;
    bool fits_operand(const Name& name, const Batch& batch, const Instruction& instruction) const;

    const Schema& schema_;
    std::optional<std::uint64_t> period_ps_;
    std::vector<Name> names_;
    std::vector<Columns> columns_;  // by track
    bool asks_accesses_ = false;
};

}  // namespace hwtrace
