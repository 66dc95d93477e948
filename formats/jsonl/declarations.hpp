// formats/jsonl/declarations.hpp - the lines that declare scopes, tracks and other objects (README.md#lines).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "tracks.hpp"
#include "values.hpp"

namespace hwtrace::jsonl {

/// Returns the element of `values` whose name_of() is `name`, or nothing.
template <typename Values>
auto find_named(const Values& values, std::string_view name) noexcept {
    using Value = typename Values::value_type;
    const auto found = std::ranges::find_if(values, [&](Value value) { return name_of(value) == name; });
    return found == values.end() ? std::optional<Value>() : std::optional<Value>(*found);
}

/// Returns the member called `name`, or null.
const JsonValue* find_member(const std::vector<JsonMember>& members, std::string_view name) noexcept;

/// Adds the declared objects to a schema. Each line declares one object.
class Declarations {
public:
    /// All arguments must outlive this object.
    Declarations(Schema& schema, Lines& lines, Tracks& tracks, Values& values)
        : schema_(schema), lines_(lines), tracks_(tracks), values_(values) {}

    /// Returns true if lines of this type declare an object.
    static bool is_declaration(std::string_view type) noexcept;
    /// Returns true for runtime strings. They may occur between any two records without ending a batch.
    static bool is_text(std::string_view type) noexcept { return type == "text"; }
    /// Adds the object that the current line declares. `type` is the type of the line.
    void declare(std::string_view type);

    /// Returns the time base of undeclared tracks, if the head states one.
    const std::optional<TimeBase>& base() const noexcept { return base_; }
    /// Reads the members of the head.
    void read_head();

private:
    using Members = std::vector<JsonMember>;

    void clock();
    void scope();
    void enumeration();
    void label();
    void track();
    void attribute();
    void metadata();
    void text();

    /// Reports members whose names are not in `known`.
    void expect(std::string_view type, std::initializer_list<std::string_view> known);
    void expect_id(std::size_t next);
    /// Returns a string member. Returns nothing if it is missing. If it is not a string, reports a finding and returns
    /// nothing.
    std::optional<std::string> text_member(std::string_view name);
    std::optional<std::string> required_text(std::string_view name);
    /// Returns an object id below `end`, or nothing after a finding.
    std::optional<std::uint32_t> reference(JsonValue value, std::size_t end, std::string_view what);
    bool native_id(std::optional<std::uint64_t>& id);
    void wrong(std::string_view member, JsonValue value);
    std::optional<ScopeId> scope_reference(JsonValue value);

    bool field(JsonValue object, Field& field);
    bool field_type(std::string_view name, JsonValue type, Field& field);
    bool fields(std::string_view member, std::vector<Field>& fields);
    bool label_of(JsonValue object, EnumValue& label);
    bool labels(JsonValue array, Enum& enumeration);

    Schema& schema_;
    Lines& lines_;
    Tracks& tracks_;
    Values& values_;
    std::optional<TimeBase> base_;
    std::string scratch_;
};

}  // namespace hwtrace::jsonl
