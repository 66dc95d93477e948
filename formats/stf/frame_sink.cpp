#include "frame_sink.hpp"

#include <utility>

namespace hwtrace::stf {

void FrameRun::compress(ZstdBlock& zstd, Form form) {
    packed.clear();
    std::size_t begin = 0;
    for (Frame& frame : frames) {
        const auto bytes = raw.span().subspan(begin, frame.raw_end - begin);
        if (form == Form::sized) {
            zstd.compress(bytes, packed);
        } else {
            zstd.stream(bytes, packed);
            zstd.end_stream(packed);
        }
        begin = frame.raw_end;
        frame.packed_end = packed.size();
    }
}

void FrameSink::put(FrameRun run) {
    ZstdBlock zstd(level_);
    if (!idle_.empty()) {
        zstd = std::move(idle_.back());
        idle_.pop_back();
    }
    jobs_.push_back({std::move(run), std::move(zstd)});
    Job& job = jobs_.back();
    job.done = workers_.start([&job, form = form_] { job.run.compress(job.zstd, form); });
}

FrameRun FrameSink::take() {
    Job& job = jobs_.front();
    workers_.result(job.done);
    FrameRun run = std::move(job.run);
    idle_.push_back(std::move(job.zstd));
    jobs_.pop_front();
    return run;
}

}  // namespace hwtrace::stf
