#include "data_rows.hpp"

#include <algorithm>

#include "io/error.hpp"

namespace hwtrace::flux {

DataRows::DataRows(std::string_view schema, std::span<const std::string_view> columns, TextForm form,
                   const Settings& settings, TextOutput& out)
    : columns_(columns), form_(form), integers_(settings.json_integers), out_(out), cells_(columns.size()) {
    if (form == TextForm::csv) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (i != 0) out.put(',');
            out.put(columns[i]);
        }
        out.put('\n');
        return;
    }
    out.put('{');
    append_json_head(schema, settings, out);
    out.put(form == TextForm::jsonl ? "}\n" : ",\"items\":[");
}

void DataRows::begin() {
    if (form_ == TextForm::csv) {
        std::ranges::fill(cells_, std::nullopt);
        return;
    }
    if (form_ == TextForm::json) out_.put(first_ ? "\n" : ",\n");
    first_ = false;
    object_.emplace(integers_, out_);
}

std::string& DataRows::cell(std::string_view name) {
    const auto column = std::ranges::find(columns_, name);
    if (column == columns_.end()) fail(Failure::internal, "no column " + std::string(name));
    return cells_[static_cast<std::size_t>(column - columns_.begin())].emplace();
}

void DataRows::text(std::string_view name, std::string_view value) {
    if (object_)
        object_->text(name, value);
    else
        cell(name) = value;
}

void DataRows::number(std::string_view name, std::uint64_t value) {
    if (object_)
        object_->number(name, value);
    else
        cell(name) = std::to_string(value);
}

void DataRows::number(std::string_view name, std::int64_t value) {
    if (object_)
        object_->number(name, value);
    else
        cell(name) = std::to_string(value);
}

void DataRows::flag(std::string_view name) {
    if (object_)
        object_->flag(name);
    else
        cell(name) = "true";
}

void DataRows::end() {
    if (object_) {
        object_->close();
        object_.reset();
        if (form_ == TextForm::jsonl) out_.put('\n');
        return;
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        if (i != 0) out_.put(',');
        if (cells_[i]) append_csv(*cells_[i], out_);
    }
    out_.put('\n');
}

void DataRows::finish() {
    if (form_ == TextForm::json) out_.put("\n]}\n");
}

}  // namespace hwtrace::flux
