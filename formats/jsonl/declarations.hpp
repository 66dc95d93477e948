// formats/jsonl/declarations.hpp - the lines that declare what records refer to (README.md, Lines).
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

/// The one of `values` whose name_of() is `name`.
template <typename Values>
auto find_named(const Values& values, std::string_view name) noexcept {
    using Value = typename Values::value_type;
    const auto found = std::ranges::find_if(values, [&](Value value) { return name_of(value) == name; });
    return found == values.end() ? std::optional<Value>() : std::optional<Value>(*found);
}

/// The member of that name, or null.
const JsonValue* find_member(const std::vector<JsonMember>& members, std::string_view name) noexcept;

/// Declares in a schema what lines say.
class Declarations {
public:
    /// All of them outlive this object.
    Declarations(Schema& schema, Lines& lines, Tracks& tracks, Values& values)
        : schema_(schema), lines_(lines), tracks_(tracks), values_(values) {}

    /// False where lines of this type declare nothing.
    static bool is_declaration(std::string_view type) noexcept;
    /// True for what may stand between any two records without anybody noticing: texts.
    static bool is_text(std::string_view type) noexcept { return type == "text"; }
    /// The lines' current one, of that type.
    void declare(std::string_view type);

    /// The base of tracks that no line declares, where the head says one.
    const std::optional<TimeBase>& base() const noexcept { return base_; }
    /// The head's members.
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

    /// Reports members with other names.
    void expect(std::string_view type, std::initializer_list<std::string_view> known);
    void expect_id(std::size_t next);
    /// A text member; nothing, after a finding, where it is none. Missing ones are nothing without one.
    std::optional<std::string> text_member(std::string_view name);
    std::optional<std::string> required_text(std::string_view name);
    /// The number of an object, up to `end`; nothing, after a finding, where there is none of it.
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
