// tests/laws/slice_choices.hpp - slices of a trace for laws about views: what --range and --select choose.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "laws/law_support.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"

namespace hwtrace::test {

/// What --range and --select choose.
struct Choice {
    std::string name;
    Criteria criteria = {};
    Range range{Range::Unit::record, 0, std::nullopt};
};

/// Returns a reader of the slice of `whole`, as the views of hwtrace-dump read it. `complete` is its final schema.
std::unique_ptr<Reader> slice_of(Reader& whole, const Format& format, const Choice& choice, const Schema& complete);

/// Returns selections of kinds, scopes, tracks, fields and positions that occur in the file.
std::vector<Choice> choices_of(const Bytes& file, const Format& format);

/// Adds selections that only a late record of an instruction satisfies, and slices that begin inside instructions.
std::vector<Choice> choices_with_late_fields(const Bytes& file, const Format& format);

/// Returns the good samples of these formats.
std::vector<Sample> samples_of(const std::vector<std::string_view>& formats);

/// Calls `see(batch, record, schema)` for the records of a file, or of its slice. Returns the error that refuses it.
std::string each_record(const Bytes& file, const Format& format, const Choice* choice,
                        const std::function<void(const Batch&, const Record&, const Schema&)>& see);

/// Returns the text of a view of the file, or of its slice.
std::string shown(std::string_view view_name, TextForm form, const Bytes& file, const Format& format,
                  const Choice* choice);

/// Splits a text into lines.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace hwtrace::test
