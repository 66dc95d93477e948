#include "convert/convert.hpp"

#include "convert/stage_run.hpp"
#include "io/error.hpp"

namespace hwtrace {

ConversionCounts convert(Reader& reader, Plan& plan, Writer& writer, const ProgressListener& progress,
                         ConversionCounts* so_far) {
    ConversionCounts own;
    ConversionCounts& counts = so_far != nullptr ? *so_far : own;
    counts = {};
    StageRun stages(plan);
    const auto write = [&](Batch& batch) {
        if (batch.empty()) return;
        counts.records_written += batch.records().size();
        writer.take(batch);
    };
    stages.enter(reader);
    Batch batch;
    while (!stages.past()) {
        batch.clear();
        if (!reader.read(batch)) break;
        counts.records_read += batch.records().size();
        write(stages.apply(batch));
        if (progress) progress(reader.position());
    }
    stages.finish(write);
    if (!plan.refusal.empty() && stages.swallowed_all(plan.refusing)) fail(Failure::input, plan.refusal);
    writer.finish();
    if (plan.part) plan.part->settle();
    return counts;
}

}  // namespace hwtrace
