// operate/raised_records.hpp - reads a trace as a conversion sees it: after the stages that undo an earlier lowering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "select/positions.hpp"

namespace hwtrace {

/// Delivers the records of a raised trace one by one, so that the position of a record is known when a selection behind
/// this reader delivers it.
class RaisedRecords final : public Reader {
public:
    /// `raising` is a plan for the schema of `reader`; both must outlive this object. `shapes`: of the reader's format.
    RaisedRecords(Reader& reader, Plan& raising, Shapes shapes);

    Schema& schema() override;
    Facts facts() const override { return reader_.facts(); }
    std::uint64_t position() const override { return reader_.position(); }
    bool read(Batch& batch) override;
    /// Returns the position of the latest record.
    std::uint64_t latest() const noexcept { return latest_; }

private:
    bool raise();

    Reader& reader_;
    Plan& raising_;
    StageRun stages_;
    PositionCounter counter_;
    Batch read_;
    Batch* raised_ = nullptr;
    std::size_t next_ = 0;
    std::uint64_t latest_ = 0;
    bool ended_ = false;
};

/// Opens an input, calls `use` with its source and with the plan that raises it for the target `to`, and rewinds it. A
/// pipe is spooled. The range and the criteria of `choices` do not restrict what the source delivers.
void use_raised(Input& input, const Format& from, const Format& to, const Choices& choices,
                const std::function<void(PreparedSource& source, Plan& raising)>& use);

}  // namespace hwtrace
