#include "support/traffic.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

#include "stf/transaction_tracks.hpp"

namespace hwtrace::test {

namespace {

using namespace stf;

enum Channel : std::uint64_t { acquire = 1, probe = 2, release = 3, grant = 4, acknowledge = 5 };

constexpr std::uint64_t line_bytes = 64;

class Recording {
public:
    explicit Recording(Traffic& trace) : trace_(trace) {
        Schema& schema = trace.schema;
        const ScopeId root = schema.declare(Scope{"/", none, {}, none});
        const EnumId channel = schema.declare(channel_enum());
        const EnumId metadata_type = schema.declare(metadata_type_enum());
        const auto declare = [&](Track::Kind kind, ScopeId scope, std::string_view name, std::vector<Field> fields) {
            Track track;
            track.kind = kind;
            track.scope = scope;
            track.name = name;
            track.time = transaction_base;
            track.fields = std::move(fields);
            return schema.declare(std::move(track));
        };
        for (std::size_t i = 0; i < streams_.size(); ++i) {
            const std::string name = i == 0 ? "core_clock" : "memory_clock";
            const ClockId clock = schema.declare(Clock{name, 0});
            const ScopeId scope = schema.declare(Scope{name, root, {}, clock, i == 0 ? 1 : 3});
            streams_[i] =
                declare(Track::Kind::stream, scope, transaction_track, transaction_fields(channel, metadata_type));
        }
        dependency_ = declare(Track::Kind::relation_type, root, dependency_track, dependency_fields());
        comment_ = declare(Track::Kind::notes, root, "stf.comment", {});
        declare(Track::Kind::native, root, "stf.record", {});
        schema.describe("stf.version", "1.6");
        schema.describe("stf.trace_info", "255 0 1 0 traffic");
        schema.describe("stf.features", "0x0000000000100000");
        schema.describe("stf.protocol", "1");
        schema.describe("stf.clock", "1 core_clock");
        schema.describe("stf.clock", "3 memory_clock");
        trace.batches.emplace_back();
    }

    /// Adds a request with `code` for a cache line. Returns the id of the request.
    std::uint64_t request(Channel channel, std::uint64_t code, std::uint64_t address, bool with_data,
                          std::initializer_list<std::uint64_t> on = {}) {
        begin(channel);
        put(field_code, code);
        put(field_param, code % 3);
        put(field_size, 6);
        put(field_source, address / line_bytes % 4);
        put(field_address, address);
        put(field_data_size, with_data ? line_bytes : 0);
        if (channel != release) put(field_mask_bits, 12);
        if (channel == acquire) {
            metadata(0, 7);
            metadata(3, address ^ 0xFFFF'0000'0000'0000);
            metadata(1, code);
        }
        if (with_data) data(address);
        if (channel != release) put(field_mask, 0xFFF);
        return end(0, on);
    }
    std::uint64_t answer(std::uint64_t address, std::uint64_t bytes, std::initializer_list<std::uint64_t> on) {
        begin(grant);
        put(field_code, 5);
        put(field_param, 0);
        put(field_size, 6);
        put(field_source, address / line_bytes % 4);
        put(field_sink, address / line_bytes);
        put(field_data_size, bytes);
        for (std::uint64_t at = 0; at < bytes; at += 8)
            put(field_data, bytes - at >= 8 ? address * 0x0101'0101 + at : at);
        return end(1, on);
    }
    void done(std::uint64_t address, std::uint64_t on) {
        begin(acknowledge);
        put(field_sink, address / line_bytes);
        end(0, {on});
    }
    void comment(std::string_view text) { batch().note(comment_, time_, text); }
    void wait(std::uint64_t cycles) { time_ += static_cast<Tick>(cycles); }

private:
    Batch& batch() {
        if (trace_.batches.back().full()) trace_.batches.emplace_back();
        return trace_.batches.back();
    }
    void begin(Channel channel) {
        attributes_.clear();
        put(field_id, ++id_);
        put(field_channel, channel);
    }
    void put(std::uint32_t field, std::uint64_t value) { attributes_.push_back({field, value}); }
    void metadata(std::uint64_t type, std::uint64_t value) {
        put(field_metadata_type, type);
        put(field_metadata, value);
    }
    void data(std::uint64_t seed) {
        for (std::uint64_t word = 0; word < line_bytes / 8; ++word)
            put(field_data, seed << 20u | word);
    }
    std::uint64_t end(std::size_t clock, std::initializer_list<std::uint64_t> on) {
        for (const std::uint64_t earlier : on) {
            const std::array<std::uint64_t, dependency_cells> cells{earlier, id_, id_ - earlier, clock == 0 ? 1u : 3u};
            batch().relation(dependency_, time_, cells);
        }
        batch().interval(streams_[clock], time_, 0, attributes_);
        return id_;
    }

    Traffic& trace_;
    std::array<TrackId, 2> streams_{};
    TrackId dependency_ = none, comment_ = none;
    std::vector<Attribute> attributes_;
    std::uint64_t id_ = 0;
    Tick time_ = 0;
};

}  // namespace

Traffic::Traffic(unsigned misses) {
    Recording record(*this);
    std::uint64_t released = 0;
    for (unsigned miss = 0; miss < misses; ++miss) {
        const std::uint64_t address = 0x8000'0000 + line_bytes * ((miss * 37u) % 101u);
        record.wait(3 + miss % 5);
        if (miss % 4 == 1) released = record.request(release, 7, address + line_bytes, true);
        const std::uint64_t asked = record.request(acquire, 6, address, false);
        if (miss % 3 == 2) record.request(probe, 6, address, false, {asked});
        record.wait(20);
        if (miss % 5 == 4) {
            record.wait(100);
            record.comment("refresh");
        }
        const std::uint64_t given = miss % 4 == 1 ? record.answer(address, line_bytes, {released, asked})
                                                  : record.answer(address, miss % 7 == 6 ? 5 : line_bytes, {asked});
        record.wait(1);
        record.done(address, given);
    }
    record.comment("end");
}

}  // namespace hwtrace::test
