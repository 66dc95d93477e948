// codec/chosen_rows.hpp - the rows of a file of which a slice has records, for views that show or hide whole rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "model/id_set.hpp"

namespace hwtrace {

class Findings;
class Input;

/// A reader whose records belong to rows of the file. A view shows or hides a row as a whole, such as all lines of an
/// instruction, although the records of other rows come between its own.
class RowReader : public Reader {
public:
    /// Limits every later batch to records that one step of one row produces.
    void separate_rows() noexcept { separates_rows_ = true; }
    /// Returns the number of the row of the last batch. Only valid after separate_rows().
    std::uint64_t row() const noexcept { return row_; }

protected:
    bool separates_rows() const noexcept { return separates_rows_; }
    /// Returns true if the next step must go to another batch.
    bool is_full(const Batch& batch) const noexcept { return batch.full() || (separates_rows_ && !batch.empty()); }
    /// States the row of the next step.
    void begin_step(std::uint64_t row) noexcept { row_ = row; }

private:
    bool separates_rows_ = false;
    std::uint64_t row_ = 0;
};

/// The rows of which the slice in Settings::part has a record. The slice sees the same records in the same order as in
/// every other use, so a row is chosen by whatever it contains, early or late.
class ChosenRows {
public:
    /// Reads `whole` to the end of the slice. If the input ends with an error, keeps the rows before it; the view meets
    /// the same error. Throws Failure::limit if the rows would exceed Limits::block.
    ChosenRows(RowReader& whole, const Settings& settings);

    using Open = std::unique_ptr<RowReader> (*)(Input& input, const Settings& settings, Findings& findings);
    /// Reads the rows of `input` and rewinds it. Returns nullopt if everything is selected. Reports no findings,
    /// because the view reads the input again.
    static std::optional<ChosenRows> of(Input& input, const Settings& settings, Open open);

    bool has(std::uint64_t row) const noexcept { return rows_.contains(row); }

private:
    IdSet rows_;
};

}  // namespace hwtrace
