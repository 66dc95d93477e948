// hwtrace/record_view.hpp - a record together with the schema and the batch that it refers to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// One value of a record, with its field.
struct FieldValue {
    const Schema* schema;
    const Field* field;
    std::uint64_t cell;  ///< see Type

    std::string_view name() const noexcept { return field->name; }
    /// Returns the value as text for people: the text itself, the label of an enumeration, or a number.
    std::string text() const;
};

/// A record, its track and its values. Valid until the next batch is read. Looking up a value by name takes time in
/// proportion to the number of fields; programs that read many records look up the fields of a track once.
class RecordView {
public:
    RecordView(const Schema& schema, const Batch& batch, const Record& record) noexcept
        : schema_(&schema), batch_(&batch), record_(&record) {}

    const Record& record() const noexcept { return *record_; }
    Kind kind() const noexcept { return record_->kind; }
    Tick time() const noexcept { return record_->time; }
    /// Returns the duration of an interval in ticks; 0 for other records.
    std::uint64_t duration() const noexcept { return kind() == Kind::interval ? record_->value : 0; }
    const Track& track() const { return schema_->tracks()[record_->track]; }
    /// Returns the names of the track and its scopes: "soc/bus/read".
    std::string path() const;

    /// Returns the number of values: cells of an event or relation, attributes of an interval, values of a change, or
    /// the one value of a set or add.
    std::size_t size() const noexcept;
    /// Returns the value at `index`, which must be less than size().
    FieldValue operator[](std::size_t index) const;
    /// Returns the first value of the field `name`, or nullopt.
    std::optional<FieldValue> find(std::string_view name) const;

    class Iterator {
    public:
        using value_type = FieldValue;
        using difference_type = std::ptrdiff_t;
        Iterator(const RecordView& record, std::size_t index) noexcept : record_(&record), index_(index) {}
        FieldValue operator*() const { return (*record_)[index_]; }
        Iterator& operator++() noexcept {
            ++index_;
            return *this;
        }
        bool operator==(const Iterator& other) const noexcept { return index_ == other.index_; }

    private:
        const RecordView* record_;
        std::size_t index_;
    };
    Iterator begin() const noexcept { return {*this, 0}; }
    Iterator end() const noexcept { return {*this, size()}; }

    /// Returns the text of a note; empty for other records.
    std::string_view note() const noexcept {
        return kind() == Kind::note ? batch_->text(*record_) : std::string_view();
    }
    /// Returns the details of an instruction, or nullptr for other records. The pc is record().value.
    const Instruction* instruction() const noexcept {
        return kind() == Kind::instruction ? &batch_->instruction(*record_) : nullptr;
    }
    /// Return the registers and memory accesses of an instruction; empty for other records.
    std::span<const Operand> operands() const noexcept {
        return kind() == Kind::instruction ? batch_->operands(*instruction()) : std::span<const Operand>();
    }
    std::span<const Access> accesses() const noexcept {
        return kind() == Kind::instruction ? batch_->accesses(*instruction()) : std::span<const Access>();
    }

private:
    const Schema* schema_;
    const Batch* batch_;
    const Record* record_;
};

}  // namespace hwtrace
