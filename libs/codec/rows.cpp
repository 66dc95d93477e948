#include "codec/rows.hpp"

#include <algorithm>

namespace hwtrace {

RowsBase::RowsBase(std::span<const RowColumn> columns, CellOrder order, TextForm form, JsonIntegers integers,
                   TextOutput& out)
    : integers_(integers),
      columns_(columns),
      form_(form),
      out_(out),
      cells_(order == CellOrder::any && form == TextForm::csv ? columns.size() : 0) {}

void RowsBase::begin(std::string_view schema, const Settings& settings) {
    if (is_json()) {
        out_.put('{');
        append_json_head(schema, settings, out_);
    }
    if (!is_csv()) return;
    for (const RowColumn& column : columns_) {
        if (&column != columns_.data()) out_.put(',');
        out_.put(column.heading);
    }
    out_.put('\n');
}

TextOutput& RowsBase::any_csv_cell(std::size_t column) {
    if (next_ == 0) {  // the first cell of a row
        kept_.clear();
        std::ranges::fill(cells_, Cell{});
    } else {
        cells_[open_].end = kept_.text().size();
    }
    open_ = column;
    next_ = 1;
    cells_[column].begin = kept_.text().size();
    return kept_;
}

void RowsBase::end_csv_row() {
    if (cells_.empty()) {
        for (std::size_t at = next_ == 0 ? 1 : next_; at < columns_.size(); ++at)
            out_.put(',');
        return;
    }
    if (next_ != 0) cells_[open_].end = kept_.text().size();
    for (std::size_t at = 0; at < cells_.size(); ++at) {
        if (at != 0) out_.put(',');
        if (next_ != 0) out_.put(kept_.text().substr(cells_[at].begin, cells_[at].end - cells_[at].begin));
    }
}

}  // namespace hwtrace
