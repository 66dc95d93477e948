// cli/shown_part.hpp - the slice that a view of a format shows.
#pragma once

#include <cstdint>

#include "codec/reader.hpp"
#include "select/selection.hpp"

namespace hwtrace::cli {

/// Reads a slice of a trace for a view that can show slices. Sets `is_empty` if the slice holds no records.
class ShownPart final : public Reader {
public:
    ShownPart(Reader& whole, const Range& range, const SelectionOptions& options, const RecordCriteria& criteria,
              const Schema* complete, bool& is_empty)
        : part_(whole, range, options, criteria, complete), is_empty_(is_empty) {}

    Schema& schema() override { return part_.schema(); }
    bool read(Batch& batch) override {
        const bool any = part_.read(batch);
        is_empty_ = part_.is_empty();
        return any;
    }
    Facts facts() const override { return part_.facts(); }
    std::uint64_t position() const override { return part_.position(); }

private:
    RangedReader part_;
    bool& is_empty_;
};

}  // namespace hwtrace::cli
