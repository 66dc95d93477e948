// select/field_match.hpp - matches the fields of records against --select.
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
#include "select/criteria.hpp"

namespace hwtrace {

/// Compares fields of records with values. Field names are the names that dumps show. Besides declared fields,
/// intervals have `duration`, tables `slot`, change records `mark` and notes `text`. Instructions have `pc`,
/// `encoding`, `size`, `target` and registers such as `source:x5`. Memory accesses have `address`, `access_size`,
/// `attributes` and `data`. `read` is the address of a read access, and `write` is the address of a write access. A
/// declared field of the same name takes precedence.
///
/// A record matches if it has all fields that the criteria name, each with a value that satisfies the criteria for the
/// field. If a field occurs several times, one of the values must satisfy all criteria for it. All criteria for
/// accesses must hold for the same access. Several criteria with = for one field are alternatives. Numbers are compared
/// exactly, enums by label or number, texts as patterns. Durations and times are compared in ticks, or in time or
/// cycles if the value has a unit. Records that lack a field never match.
class FieldMatch {
public:
    /// `schema` must outlive this object and may grow. `period_ps` is the cycle length for tracks that state none.
    FieldMatch(const Schema& schema, const std::vector<FieldCriterion>& criteria,
               std::optional<std::uint64_t> period_ps = {});

    bool any() const noexcept { return !names_.empty(); }
    /// Returns true if records of the track can have every field that the criteria name, with comparable values. Only
    /// such records can match.
    bool can_fit(const Schema& schema, const Track& track) const;
    /// Return the same for the slots of a storage, and for the set records of its properties.
    bool can_fit_rows(const Schema& schema, const Track& storage) const;
    bool can_fit_properties(const Schema& schema, const Track& storage) const;
    /// Returns the reason why no track of `tracks` can match, such as "no track that could be selected has a field
    /// 'adr'; the fields are addr, size; ...".
    std::string reason(const Schema& schema, const std::vector<TrackId>& tracks) const;

    /// Returns true if the record matches. Among the records of a storage, only set records of properties can match.
    bool fits(const Batch& batch, const Record& record);
    /// Returns true if the contents of the slot match.
    bool fits_row(const StateTable& state, TrackId storage, std::uint32_t slot);

private:
    __extension__ using Number = __int128;

    /// The value of a criterion, parsed into every form in which it can be compared.
    struct Asked {
        Operator comparison = Operator::equal;
        std::string text;
        std::optional<Number> whole;
        std::optional<double> real;
        std::optional<bool> truth;
        std::optional<std::uint64_t> time_ps, cycles;
    };
    /// The part of an instruction that a name denotes.
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
    /// All criteria for one name.
    struct Name {
        std::string name;
        std::vector<Asked> asked;
        Part part = Part::nothing;
        OperandRole role{};
        RegisterClass register_class{};
        std::uint16_t number = 0;

        bool is_of_access() const noexcept { return part >= Part::address; }
    };
    /// The positions of a name's fields in the records of a track.
    struct Places {
        std::vector<std::uint32_t> fields, properties;  ///< only fields with comparable values
        bool declared = false;                          ///< the track declares a field of this name
    };
    struct Columns {
        std::size_t fields = 0, properties = 0;  ///< number of fields and properties looked up so far
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
