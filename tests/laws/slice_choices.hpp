// tests/laws/slice_choices.hpp - slices of a trace for laws about views: what --range and --select choose.
#pragma once

#include <memory>
#include <string>
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

/// Splits a text into lines.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace hwtrace::test
