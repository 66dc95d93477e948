#include "query/table_cursor.hpp"

#include <algorithm>
#include <utility>

#include "io/error.hpp"
#include "query/tick_bounds.hpp"

namespace hwtrace {

namespace {

/// A table that queries have begun to read so often is kept in memory.
constexpr std::uint64_t scans_before_keeping = 3;

bool covers(const std::vector<std::uint8_t>& columns, const std::vector<std::uint8_t>& wanted) noexcept {
    return std::ranges::equal(columns, wanted, [](std::uint8_t has, std::uint8_t needs) { return has >= needs; });
}

}  // namespace

TableCursor::TableCursor(QueryTrace& trace, std::size_t table)
    : trace_(trace),
      table_(table),
      described_(trace.tables().all()[table]),
      columns_(described_.columns.data()),
      current_(described_),
      spare_(described_) {}

void TableCursor::start(TablePlan plan) {
    for (const CellFilter& filter : plan.filters)
        plan.columns[filter.column] = 1;
    if (plan.key) plan.columns[plan.key->column] = 1;
    QueryTrace::Known& known = trace_.known(table_);
    const bool is_repeated = starts_++ > 0;
    const bool is_kept = (known.rows && covers(known.rows->columns(), plan.columns)) ||
                         ((plan.key || is_repeated || known.scans >= scans_before_keeping) && keep(plan));
    chunk_ = nullptr;
    filters_.reset();
    if (is_kept && (!plan.key || known.rows->has_room_for_index(plan.key->column, trace_.memory_left()))) {
        use_kept(plan);
    } else {
        // A subquery opens a new cursor for each row around it.
        const bool was_looked_up = plan.key && known.lookups++ > 0 && trace_.knows_statements();
        if (plan.key && (is_repeated || was_looked_up))
            fail(Failure::limit,
                 trace_.name() + ": the rows of \"" + trace_.names().tables[table_].name +
                     "\" are looked up repeatedly, but do not fit in memory; raise --memory, or convert "
                     "the trace to a database: hwtrace-convert IN OUT.db");
        ++known.scans;
        stream(plan);
    }
    next_chunk();
}

/// Keeps the rows in memory, with the columns that the plan or an earlier one needs. Returns false if they do not fit.
bool TableCursor::keep(const TablePlan& plan) {
    QueryTrace::Known& known = trace_.known(table_);
    if (known.is_too_large) return false;
    std::vector<std::uint8_t> columns = plan.columns;
    if (known.rows)
        std::ranges::transform(columns, known.rows->columns(), columns.begin(),
                               [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
    known.rows.reset();
    known.rows = KeptRows::read(trace_, table_, columns, trace_.memory_left());
    known.is_too_large = known.rows == nullptr;
    return !known.is_too_large;
}

// --- rows from memory ------------------------------------------------------------------------------------------------

void TableCursor::use_kept(TablePlan& plan) {
    reading_.reset();
    rows_.reset();
    has_skipped_ = false;
    if (const std::shared_ptr<KeptRows>& rows = trace_.known(table_).rows; kept_ != rows || !values_) {
        kept_ = rows;
        values_.emplace(trace_.tables(), kept_->schema());
    }
    next_kept_ = 0;
    looks_up_ = plan.key.has_value();
    if (looks_up_)
        look_up(plan);
    else if (!plan.filters.empty())
        filters_.emplace(described_, std::move(plan.filters), kept_->schema());
}

void TableCursor::look_up(const TablePlan& plan) {
    const auto& value = plan.key->value;
    const std::size_t column = plan.key->column;
    places_ =
        value.index() == 0 ? kept_->find(column, std::get<0>(value)) : kept_->find_text(column, std::get<1>(value));
}

void TableCursor::show_place(const RowPlace& place) {
    chunk_ = &kept_->chunks()[place.chunk];
    first_row_ = kept_->first_row(place.chunk);
    selected_ = nullptr;
    at_ = place.row;
    limit_ = place.row + std::size_t{1};
    row_ = place.row;
}

// --- rows from the file ----------------------------------------------------------------------------------------------

void TableCursor::stream(TablePlan& plan) {
    kept_.reset();
    values_.reset();
    rows_.reset();
    looks_up_ = false;
    ready_.clear();
    read_rows_ = 0;
    has_finished_ = false;
    const TickBounds bounds = tick_bounds(trace_.tables(), described_, plan.filters);
    is_whole_ = !bounds.has_first() && !bounds.has_last();
    reading_ = trace_.read(described_.track, bounds);
    has_skipped_ = reading_->has_skipped();
    values_.emplace(trace_.tables(), reading_->schema());
    if (!plan.filters.empty()) filters_.emplace(described_, std::move(plan.filters), reading_->schema());
    rows_.emplace(trace_.tables(), std::vector<std::size_t>{table_}, [this](std::size_t, TableChunk& chunk) {
        ready_.push_back(std::exchange(chunk, std::exchange(spare_, TableChunk(described_))));
    });
    rows_->choose_columns(table_, plan.columns);
}

/// Makes the next chunk of the file current. Returns false at the end.
bool TableCursor::read_chunk() {
    while (ready_.empty() && !has_finished_) {
        if (reading_->next()) {
            rows_->add(reading_->batch());
        } else {
            rows_->finish();
            has_finished_ = true;
        }
    }
    if (ready_.empty()) {
        if (is_whole_ && reading_ && reading_->has_ended()) trace_.set_rows(table_, read_rows_);
        reading_.reset();
        return false;
    }
    spare_ = std::move(current_);
    spare_.clear();
    current_ = std::move(ready_.front());
    ready_.pop_front();
    return true;
}

void TableCursor::fail_row_number() const {
    fail(Failure::usage, trace_.name() + ": the rowids of \"" + trace_.names().tables[table_].name +
                             "\" are not known if a condition on times skips the rows before; write +begin or +time "
                             "instead of begin or time");
}

// --- both ------------------------------------------------------------------------------------------------------------

void TableCursor::show(const TableChunk* chunk, std::uint64_t first_row) {
    chunk_ = chunk;
    first_row_ = first_row;
    selected_ = filters_ ? &filters_->select(*chunk) : nullptr;
    at_ = 0;
    limit_ = selected_ != nullptr ? selected_->size() : chunk->size();
    row_ = selected_ != nullptr && limit_ != 0 ? selected_->front() : 0;
}

void TableCursor::next_chunk() {
    do {
        if (kept_ && looks_up_) {
            if (next_kept_ == places_.size()) break;
            return show_place(places_[next_kept_++]);
        }
        if (kept_) {
            if (next_kept_ == kept_->chunks().size()) break;
            show(&kept_->chunks()[next_kept_], kept_->first_row(next_kept_));
            ++next_kept_;
        } else {
            if (has_finished_ && ready_.empty() && !reading_) break;
            if (!read_chunk()) break;
            show(&current_, read_rows_);
            read_rows_ += current_.size();
        }
        if (limit_ != 0) return;
    } while (true);
    chunk_ = nullptr;
}

}  // namespace hwtrace
