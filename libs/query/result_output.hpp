// query/result_output.hpp - writes the rows of queries as text, CSV or JSON.
#pragma once

#include <memory>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "query/query_database.hpp"

namespace hwtrace {

/// Writes the rows of queries:
/// - text: columns side by side; their widths come from the first rows.
/// - csv: a line of names, then rows. NULL is empty, an empty text is "".
/// - json: {"schema":"hwtrace-query/1",…,"results":[{"columns":[…],"rows":[[…],…]},…]}.
/// - jsonl: an object per row, and nothing else.
/// Blobs are hexadecimal digits.
class ResultOutput : public QueryResult {
public:
    /// Ends the document.
    virtual void finish() = 0;
};

/// Returns a writer of results in this form. `settings` and `out` must outlive it. A row of text takes several lines if
/// it has more than `columns` columns.
std::unique_ptr<ResultOutput> make_result_output(TextForm form, const Settings& settings, TextOutput& out,
                                                 std::size_t columns);

}  // namespace hwtrace
