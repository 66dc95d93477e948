// formats/flux/data_rows.hpp - writes the rows of a view as JSON, JSON Lines or CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/json_object.hpp"
#include "codec/settings.hpp"

namespace hwtrace::flux {

/// Writes a document of rows. For each row call begin(), one function per member, and end(). Call finish() last.
class DataRows {
public:
    /// `schema` is the schema name stated in the document. `columns` lists all members that a row may have, in CSV
    /// order. All arguments except `form` must outlive this object.
    DataRows(std::string_view schema, std::span<const std::string_view> columns, TextForm form,
             const Settings& settings, TextOutput& out);

    void begin();
    void text(std::string_view name, std::string_view value);
    void number(std::string_view name, std::uint64_t value);
    void number(std::string_view name, std::int64_t value);
    void flag(std::string_view name);
    void end();
    void finish();

private:
    std::string& cell(std::string_view name);

    const std::span<const std::string_view> columns_;
    const TextForm form_;
    const JsonIntegers integers_;
    TextOutput& out_;
    std::optional<JsonObject> object_;
    std::vector<std::optional<std::string>> cells_;
    bool first_ = true;
};

}  // namespace hwtrace::flux
