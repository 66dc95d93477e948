#include "pipeline/convert.hpp"

namespace hwtrace {

namespace {

/// Sends a batch through the stages from `first` on and returns the last batch filled.
const Batch& run_stages(const Batch& batch, Plan& plan, std::vector<Batch>& filled, std::size_t first) {
    const Batch* current = &batch;
    for (std::size_t i = first; i < plan.stages.size(); ++i) {
        filled[i].clear();
        plan.stages[i]->apply(*current, filled[i]);
        current = &filled[i];
    }
    return *current;
}

}  // namespace

ConversionCounts convert(Reader& reader, Plan& plan, Writer& writer, const ProgressListener& progress) {
    ConversionCounts counts;
    Batch batch;
    std::vector<Batch> filled(plan.stages.size());
    const auto write = [&](const Batch& last) {
        if (last.empty()) return;
        writer.write(last);
        counts.records_written += last.records().size();
    };
    while (true) {
        batch.clear();
        if (!reader.read(batch)) break;
        counts.records_read += batch.records().size();
        write(run_stages(batch, plan, filled, 0));
        if (progress) progress(reader.position());
    }
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        filled[i].clear();
        plan.stages[i]->finish(filled[i]);
        write(run_stages(filled[i], plan, filled, i + 1));
    }
    writer.finish();
    return counts;
}

}  // namespace hwtrace
