#include "query/kept_rows.hpp"

#include <algorithm>
#include <tuple>

#include "domain/table_rows.hpp"

namespace hwtrace {

std::shared_ptr<KeptRows> KeptRows::read(QueryTrace& trace, std::size_t table, const std::vector<std::uint8_t>& columns,
                                         std::uint64_t memory) {
    std::shared_ptr<KeptRows> kept(new KeptRows(trace.read()));
    const TraceTable& described = trace.tables().all()[table];
    kept->columns_ = columns;
    for (const TableColumn& column : described.columns)
        kept->is_text_.push_back(holds_text(column.type) && !column.has_own_text() ? 1 : 0);
    std::uint64_t count = 0;
    TableRows rows(trace.tables(), {table}, [&](std::size_t, TableChunk& chunk) {
        kept->first_rows_.push_back(count);
        count += chunk.size();
        kept->bytes_ += chunk.bytes();
        kept->chunks_.push_back(std::exchange(chunk, TableChunk(described)));
    });
    rows.choose_columns(table, columns);
    while (kept->bytes_ <= memory && kept->reading_->next())
        rows.add(kept->reading_->batch());
    if (kept->bytes_ <= memory) rows.finish();
    if (kept->bytes_ > memory) return nullptr;
    kept->rows_ = count;
    trace.set_rows(table, count);
    return kept;
}

const std::vector<KeptRows::Entry>& KeptRows::index_of(std::size_t column) {
    const auto [place, is_new] = indexes_.try_emplace(column);
    std::vector<Entry>& index = place->second;
    if (!is_new) return index;
    // Equal texts may have several ids: an index has the first one.
    std::vector<StringId> first_ids(is_text_[column] != 0 ? schema().string_count() : 0, none);
    const auto key = [&](std::uint64_t cell) -> std::uint64_t {
        if (cell >= first_ids.size()) return cell;
        StringId& first = first_ids[cell];
        if (first == none) first = schema().find_text(schema().text(static_cast<StringId>(cell)));
        return first;
    };
    index.reserve(rows_);
    for (std::uint32_t chunk = 0; chunk < chunks_.size(); ++chunk)
        for (std::uint32_t row = 0; row < chunks_[chunk].size(); ++row)
            if (chunks_[chunk].has(column, row)) index.push_back({key(chunks_[chunk].cell(column, row)), {chunk, row}});
    // A stable sort would need as much memory again.
    std::ranges::sort(index, {},
                      [](const Entry& entry) { return std::tuple(entry.cell, entry.place.chunk, entry.place.row); });
    bytes_ += index.size() * sizeof(Entry);
    return index;
}

std::vector<RowPlace> KeptRows::find(std::size_t column, std::uint64_t cell) {
    const std::vector<Entry>& index = index_of(column);
    std::vector<RowPlace> places;
    for (auto at = std::ranges::lower_bound(index, cell, {}, &Entry::cell); at != index.end() && at->cell == cell; ++at)
        places.push_back(at->place);
    return places;
}

std::vector<RowPlace> KeptRows::find_text(std::size_t column, std::string_view text) {
    const StringId id = schema().find_text(text);
    return id == none ? std::vector<RowPlace>() : find(column, id);
}

}  // namespace hwtrace
