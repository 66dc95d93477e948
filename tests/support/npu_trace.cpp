#include "support/npu_trace.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace hwtrace::test {

namespace {

constexpr TimeBase gigahertz{TimeBase::Kind::cycles, 1, 1'000'000'000};

enum Work : std::size_t { api_call, dma_read, mac_compute, systolic_stall, dma_write, barrier_sync, types };
constexpr std::array<std::string_view, types> type_names{"API_CALL",       "DMA_READ",  "MAC_COMPUTE",
                                                         "SYSTOLIC_STALL", "DMA_WRITE", "BARRIER_SYNC"};

/// Appends events to a trace. The schema has a stream for every event type on every core.
class Recording {
public:
    explicit Recording(NpuTrace& trace) : trace_(trace) {
        const ScopeId root = trace.schema.declare(Scope{"npu", none, {}, none});
        for (std::uint32_t core = 0; core < NpuTrace::cores; ++core) {
            const ScopeId scope =
                trace.schema.declare(Scope{std::string("core").append(std::to_string(core)), root, {}, none});
            for (std::size_t type = 0; type < types; ++type) {
                Track track;
                track.kind = Track::Kind::stream;
                track.scope = scope;
                track.name = type_names[type];
                track.time = gigahertz;
                if (type == api_call) track.fields = {{"api_name", Type::text}};
                tracks_[core][type] = trace.schema.declare(std::move(track));
            }
        }
        trace.batches.emplace_back();
    }

    /// Appends an event and returns the cycle at which it ends.
    Tick event(std::uint32_t core, Work type, Tick begin, std::uint64_t duration) {
        batch().interval(tracks_[core][type], begin, duration);
        return ends(begin, duration);
    }
    Tick call(std::string_view name, Tick begin, std::uint64_t duration) {
        const std::array attributes{Attribute{0, trace_.schema.intern(name)}};
        batch().interval(tracks_[0][api_call], begin, duration, attributes);
        return ends(begin, duration);
    }
    Tick latest_end() const noexcept { return latest_end_; }

private:
    Batch& batch() {
        if (trace_.batches.back().full()) trace_.batches.emplace_back();
        return trace_.batches.back();
    }
    Tick ends(Tick begin, std::uint64_t duration) {
        const Tick end = begin + static_cast<Tick>(duration);
        latest_end_ = std::max(latest_end_, end);
        return end;
    }

    NpuTrace& trace_;
    std::array<std::array<TrackId, types>, NpuTrace::cores> tracks_{};
    Tick latest_end_ = 0;
};

/// Returns how many cycles a part of a tile takes on a core. The number is at least `least`, varies irregularly, and is
/// the same in every run.
std::uint64_t cycles(unsigned tile, std::uint32_t core, unsigned least, unsigned spread) {
    return least + (tile * 37u + core * 101u + tile * core * 13u) % spread;
}

void work_off(unsigned tiles, Recording& recording) {
    constexpr std::uint64_t barrier = 8;
    Tick now = recording.call("uca_init", 0, 40);
    now = recording.call("uca_alloc_buffer", now, 25);
    now = recording.call("uca_submit_cmd", now, 12);
    std::array<Tick, NpuTrace::cores> loaded{};  // cycle at which the next tile is loaded, by core
    for (std::uint32_t core = 0; core < NpuTrace::cores; ++core)
        loaded[core] = recording.event(core, dma_read, now, cycles(0, core, 60, 30));
    for (unsigned tile = 0; tile < tiles; ++tile) {
        std::array<Tick, NpuTrace::cores> done{};
        for (std::uint32_t core = 0; core < NpuTrace::cores; ++core) {
            const Tick begin = std::max(now, loaded[core]);
            const Tick computed = recording.event(core, mac_compute, begin, cycles(tile, core, 100, 50));
            if (tile + 1 < tiles) loaded[core] = recording.event(core, dma_read, begin, cycles(tile + 1, core, 60, 90));
            const Tick drained = recording.event(core, systolic_stall, computed, cycles(tile, core, 0, 4));
            done[core] = recording.event(core, dma_write, drained, cycles(tile, core, 30, 20));
        }
        const Tick met = *std::max_element(done.begin(), done.end());
        for (std::uint32_t core = 0; core < NpuTrace::cores; ++core)
            now = recording.event(core, barrier_sync, met, barrier);
        if (tile % 5 == 4) now = recording.call("uca_poll_completion", now, 6);
    }
    now = recording.call("uca_free_buffer", now, 15);
    recording.call("", now, 1);  // a call whose name is unknown
}

}  // namespace

NpuTrace::NpuTrace(unsigned tiles) {
    Recording recording(*this);
    work_off(tiles, recording);
    const std::string total = std::to_string(recording.latest_end());
    schema.describe("pccx.version", "1.1");
    schema.describe("pccx.pccx_lab_version", "hwtrace");
    schema.describe("pccx.arch.mac_dims", "[16,16]");
    schema.describe("pccx.arch.isa_version", "1.0");
    schema.describe("pccx.arch.peak_tops", "0.512");
    schema.describe("pccx.trace.cycles", total);
    schema.describe("pccx.trace.cores", std::to_string(cores));
    schema.describe("pccx.trace.clock_mhz", "1000");
    schema.describe("pccx.format_minor", "1");
    schema.describe("pccx.payload.total_cycles", total);
}

}  // namespace hwtrace::test
