// formats/perfetto/arguments.hpp - the values of records as arguments of slices and instants, and as text.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/utf8.hpp"
#include "drawing.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::perfetto {

/// Collects the arguments of one item. Texts that the schema does not hold are kept until the next clear().
class Arguments {
public:
    Arguments(const Schema& schema, Drawing& drawing) : schema_(schema), drawing_(drawing) {}

    void clear() {
        list_.clear();
        if (!texts_.empty()) texts_.clear();
    }
    /// Adds a value of a field of `track`.
    void add(TrackId track, std::uint32_t field, std::uint64_t cell) {
        add_value(schema_.tracks()[track], forms_of(track, field)[field], field, cell);
    }
    /// Adds the attributes of an interval of `track`.
    void add(TrackId track, std::span<const Attribute> attributes);
    void add_number(NameId name, std::uint64_t number) { list_.push_back({name, Argument::Kind::number, number, {}}); }
    void add(std::string_view name, std::uint64_t number) { add_number(drawing_.name(name), number); }
    void add_address(std::string_view name, std::uint64_t address) {
        list_.push_back({drawing_.name(name), Argument::Kind::address, address, {}});
    }
    /// Adds a text. A text that is not UTF-8 is copied; otherwise it must live until the item is drawn.
    void add(std::string_view name, std::string_view text) { add_text(drawing_.name(name), text); }
    /// Adds a copy of a text.
    void add_copy(std::string_view name, std::string text) {
        add_text(drawing_.name(name), texts_.emplace_back(std::move(text)));
    }
    /// Adds the cells of an event or a relation. Cells after the last field belong to more rows of the repeated fields.
    void add_cells(TrackId track, std::span<const std::uint64_t> cells, std::size_t first = 0);

    std::span<const Argument> list() const noexcept { return list_; }

private:
    /// How the values of a field become arguments.
    struct Form {
        NameId name;
        enum class Source : std::uint8_t { value, real, text, bytes, label } source;
        Argument::Kind kind;  ///< of a value, or of a number without a label
    };

    Form form_of(const Field& field);
    /// Returns the forms of the fields of `track`, at least up to `field`.
    std::vector<Form>& forms_of(TrackId track, std::uint32_t field) {
        if (track < forms_.size() && field < forms_[track].size()) return forms_[track];
        return learn_forms(track, field);
    }
    std::vector<Form>& learn_forms(TrackId track, std::uint32_t field);
    void add_value(const Track& track, const Form& form, std::uint32_t field, std::uint64_t cell);
    void add_text(NameId name, std::string_view text) {
        if (!is_utf8(text)) [[unlikely]]
            return add_repaired(name, text);
        list_.push_back({name, Argument::Kind::text, 0, text});
    }
    [[gnu::cold]] void add_bytes(NameId name, std::string_view bytes);
    [[gnu::cold]] void add_repaired(NameId name, std::string_view text);

    const Schema& schema_;
    Drawing& drawing_;
    std::vector<std::vector<Form>> forms_;  ///< by track and field
    std::vector<Argument> list_;
    std::deque<std::string> texts_;
};

/// Returns true if a value of this field is a number that a counter can show. Addresses, bit vectors and names are not.
bool is_counted(const Field& field) noexcept;
/// Appends a value as a short text: a label, a text, a number.
void append_short(const Schema& schema, const Field& field, std::uint64_t cell, std::string& text);

}  // namespace hwtrace::perfetto
