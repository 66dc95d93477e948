// formats/flux/data_rows.hpp - what a view shows, as JSON objects or as rows of CSV.
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

/// Objects of one document: begin(), members, end(), and so on; finish() ends it.
class DataRows {
public:
    /// `schema`: what the document calls itself; `columns`: every member that a row may have, in the order of CSV. All
    /// but `form` outlive this object.
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
