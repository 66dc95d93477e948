// tests/support/npu.hpp - a small hand-made interval trace, and a reader that declares tracks while it delivers
// records.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "codec/reader.hpp"

namespace hwtrace::test {

/// An NPU with two cores. Tracks are declared on demand.
struct Npu {
    Schema schema;

    Npu() {
        const ScopeId root = schema.declare(Scope{"npu", none, {}, none});
        schema.declare(Scope{"core0", root, {}, none});
        schema.declare(Scope{"core1", root, {}, none});
    }

    /// Declares a stream of core `core`. A tick is a cycle of `num`/`den` seconds.
    TrackId stream(unsigned core, std::string name, std::uint64_t num = 1, std::uint64_t den = 1'000'000'000) {
        return declare(Track::Kind::stream, core, std::move(name), {TimeBase::Kind::cycles, num, den});
    }
    TrackId declare(Track::Kind kind, unsigned core, std::string name, TimeBase time) {
        Track track;
        track.kind = kind;
        track.scope = core + 1;
        track.name = std::move(name);
        track.time = time;
        return schema.declare(std::move(track));
    }
};

/// A reader that fills one batch per step and declares the tracks that the batch needs.
class Stepwise final : public Reader {
public:
    using Step = std::function<void(Batch&)>;

    Stepwise(Schema& schema, std::vector<Step> steps) : schema_(schema), steps_(std::move(steps)) {}
    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override {
        if (next_ == steps_.size()) return false;
        steps_[next_++](batch);
        return !batch.empty();
    }
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return next_; }

private:
    Schema& schema_;
    std::vector<Step> steps_;
    std::size_t next_ = 0;
};

}  // namespace hwtrace::test
