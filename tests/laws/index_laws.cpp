// Laws of indexes: a slice is the same with an index, without one, and with one that does not fit.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/trace_index.hpp"
#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "io/xz.hpp"
#include "laws/law_support.hpp"
#include "operate/index_making.hpp"
#include "operate/position_count.hpp"
#include "select/positions.hpp"
#include "select/selection.hpp"
#include "select/slice_entry.hpp"

namespace index_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// A trace long enough for several checkpoints, which are at least a batch apart.
struct LongTrace {
    std::string name;
    const Format* format = nullptr;
    Bytes bytes;
};

/// Writes the records of a trace until there are about `records`, with the writer of its format.
Bytes repeated(const Sample& sample, std::uint64_t records, std::string_view output_name) {
    Bytes made;
    const auto output = open_memory_output("repeated", [&](Bytes bytes) { made = std::move(bytes); });
    Settings settings;
    settings.output_name = output_name;
    settings.source_format = sample.format->name;
    Losses losses;
    Findings findings;
    const Settings plain;
    Input first = Input::memory(sample.name, sample.content.bytes);
    const auto declared = sample.format->open(first, plain, findings);  // the writer refers to its schema
    const auto writer = sample.format->create(*output, declared->schema(), settings, losses);
    std::uint64_t written = 0, before = 0;
    do {
        before = written;
        Input input = Input::memory(sample.name, sample.content.bytes);
        const auto reader = sample.format->open(input, plain, findings);
        Batch batch;
        for (; reader->read(batch); batch.clear()) {
            writer->write(batch);
            written += batch.records().size();
        }
    } while (written != before && written < records);
    writer->finish();
    output->commit();
    return made;
}

Bytes bytes_of(const Appender& out) {
    return {out.span().begin(), out.span().end()};
}

Bytes in_gzip(const Bytes& raw) {
    Appender out;
    deflate_whole(raw, Deflate::gzip, out);
    return bytes_of(out);
}

/// Compresses in frames of 5,000 bytes.
Bytes in_zstd(const Bytes& raw) {
    Appender out;
    ZstdBlock zstd;
    std::span<const std::byte> rest(raw);
    while (!rest.empty()) {
        const auto part = rest.first(std::min<std::size_t>(rest.size(), 5000));
        zstd.compress(part, out);
        rest = rest.subspan(part.size());
    }
    return bytes_of(out);
}

Bytes in_xz(const Bytes& raw) {
    Bytes made;
    const auto output = open_memory_output("xz", [&](Bytes bytes) { made = std::move(bytes); });
    XzWriter writer(*output);
    writer.write(raw);
    writer.finish();
    output->commit();
    return made;
}

/// Writes a µScope trace again with short segments.
Bytes in_short_segments(const Sample& sample) {
    Choices choices;
    for (const Option& option : sample.format->options)
        if (option.key == "uscope-checkpoint") choices.settings.set(option, "50ns");
    return convert_bytes(sample.content.bytes, *sample.format, *sample.format, choices).bytes;
}

/// Returns long versions of the STF samples, those of testdata in every container, and µScope samples with many
/// segments.
std::vector<LongTrace> long_traces() {
    std::vector<LongTrace> traces;
    for (const Sample& sample : good_samples()) {
        if (sample.format->name == "uscope" && sample.name.ends_with(".uscope"))
            traces.push_back({sample.name, sample.format, in_short_segments(sample)});
        if (sample.format->name != "stf" || sample.name.ends_with("header_only.hex")) continue;
        const Bytes plain = repeated(sample, 2400, "long.stf");
        const auto add = [&](std::string_view container, Bytes bytes) {
            traces.push_back({sample.name + container.data(), sample.format, std::move(bytes)});
        };
        add(" .zstf", repeated(sample, 2400, "long.zstf"));
        if (!sample.name.ends_with(".hex") && !sample.name.starts_with("corpus/")) {
            add(" .gz", in_gzip(plain));
            add(" .zst", in_zstd(plain));
            add(" .xz", in_xz(plain));
        }
        add(" .stf", plain);
    }
    return traces;
}

/// Returns the bytes of the index with as many checkpoints as possible.
Bytes index_of(const LongTrace& trace) {
    Bytes made;
    Input input = Input::memory(trace.name, trace.bytes);
    Findings findings;
    const auto output = open_memory_output("index", [&](Bytes bytes) { made = std::move(bytes); });
    write_index(input, *trace.format, {}, findings, {1, 0}, *output);
    output->commit();
    return made;
}

std::shared_ptr<TraceIndex> opened(Bytes index, const LongTrace& trace) {
    const Input input = Input::memory(trace.name, trace.bytes);
    TraceIndex::Fault fault{};
    return TraceIndex::open(std::move(index), input, trace.format->name, fault);
}

/// Returns the converted slice, or the message of the error.
std::string converted(const LongTrace& trace, const Format& to, const Range& range,
                      std::shared_ptr<const TraceIndex> index) {
    Choices choices{TimeModel{1000, Ratio{1, 1}}, range, {}};
    choices.index = std::move(index);
    try {
        return std::string(as_text(convert_bytes(trace.bytes, *trace.format, to, choices).bytes));
    } catch (const Error& error) {
        return error.what();
    }
}

/// Returns the records of a slice as text.
std::string slice_text(const LongTrace& trace, const Range& range, Earlier earlier,
                       std::shared_ptr<const TraceIndex> index) {
    Input input = Input::memory(trace.name, trace.bytes);
    Findings findings;
    const Settings plain;
    const auto reader = trace.format->open(input, plain, findings);
    SelectionOptions options;
    options.earlier = earlier;
    options.reads = trace.format->reads;
    options.index = std::move(index);
    RangedReader part(*reader, range, options);
    TextOutput text(-1);
    for (Batch batch; part.read(batch); batch.clear())
        dump_records(part.schema(), batch, text);
    return std::string(text.text());
}

std::vector<Range> ranges_of(std::uint64_t positions) {
    const auto from = [](std::uint64_t begin, std::uint64_t size) {
        return Range{Range::Unit::record, begin, begin + size};
    };
    return {from(1, 3),
            from(positions / 3, 5),
            from(positions / 2, positions / 10),
            from(positions - 2, 2),
            last_positions(7, positions),
            range_of({2, 3}, positions),
            range_of({3, 3}, positions),
            from(positions + 5, 5)};
}

std::uint64_t counted_positions(const LongTrace& trace, std::shared_ptr<const TraceIndex> index) {
    Input input = Input::memory(trace.name, trace.bytes);
    Choices choices;
    choices.index = std::move(index);
    return count_positions(input, *trace.format, *trace.format, choices);
}

}  // namespace

TEST_CASE("law: a slice is the same with an index") {
    std::uint64_t checkpoints = 0;
    for (const LongTrace& trace : long_traces()) {
        CAPTURE(trace.name);
        const auto index = opened(index_of(trace), trace);
        REQUIRE(index != nullptr);
        const std::uint64_t positions = counted_positions(trace, nullptr);
        CHECK(counted_positions(trace, index) == positions);
        CHECK(index->totals().positions == positions);
        checkpoints += index->checkpoints().size();
        for (const Range& range : ranges_of(positions)) {
            CAPTURE(range.begin);
            for (const char* const to : {"stf", "uscope", "jsonl"}) {
                CAPTURE(to);
                const Format& target = *find_format(formats(), to);
                const bool same = converted(trace, target, range, nullptr) == converted(trace, target, range, index);
                CHECK(same);
            }
            for (const Earlier earlier : {Earlier::restated, Earlier::counted, Earlier::left_out})
                CHECK(difference(slice_text(trace, range, earlier, nullptr),
                                 slice_text(trace, range, earlier, index)) == "");
        }
    }
    CHECK(checkpoints >= at_least(100));
}

TEST_CASE("law: reading on from a checkpoint gives the records behind it") {
    std::uint64_t resumed = 0;
    for (const LongTrace& trace : long_traces()) {
        CAPTURE(trace.name);
        const auto index = opened(index_of(trace), trace);
        REQUIRE(index != nullptr);
        Findings of_whole, findings;
        const Settings plain;
        Input all = Input::memory(trace.name, trace.bytes);
        const auto whole = trace.format->open(all, plain, of_whole);
        std::vector<std::string> texts;  // by record
        for (Batch batch; whole->read(batch); batch.clear()) {
            TextOutput out(-1);
            dump_records(whole->schema(), batch, out);
            const std::string text(out.text());
            for (std::size_t at = 0; at < text.size();) {
                const std::size_t end = text.find('\n', at) + 1;
                texts.push_back(text.substr(at, end - at));
                at = end;
            }
        }
        REQUIRE(texts.size() == index->totals().records);
        for (const Checkpoint& checkpoint : index->checkpoints()) {
            CAPTURE(checkpoint.records);
            Input input = Input::memory(trace.name, trace.bytes);
            const auto reader = trace.format->open(input, plain, findings);
            REQUIRE(resume_at(*index, checkpoint, *reader));
            std::string expected;
            TextOutput text(-1);
            for (Batch batch; reader->read(batch); batch.clear())
                dump_records(reader->schema(), batch, text);
            for (std::size_t i = checkpoint.records; i < texts.size(); ++i)
                expected += texts[i];
            CHECK(difference(std::string(text.text()), expected) == "");
            CHECK(reader->facts() == whole->facts());
            ++resumed;
        }
        if (of_whole.totals().empty()) CHECK(findings.totals().empty());  // some repeated traces break rules
    }
    CHECK(resumed >= at_least(100));
}

TEST_CASE("law: a damaged index changes no slice") {
    const auto traces = long_traces();
    REQUIRE(!traces.empty());
    const LongTrace& trace = traces.back();
    const Bytes index = index_of(trace);
    const std::uint64_t positions = counted_positions(trace, nullptr);
    const Range range{Range::Unit::record, positions - 3, positions};
    const std::string expected = slice_text(trace, range, Earlier::restated, nullptr);
    std::uint64_t refused = 0, told = 0;
    const std::size_t step = is_full_run() ? 7 : 37;
    for (std::size_t at = 0; at < index.size(); at += step) {
        CAPTURE(at);
        Bytes damaged = index;
        damaged[at] ^= std::byte{0x5A};
        const auto opened_one = opened(damaged, trace);
        if (!opened_one) {
            ++refused;
            continue;
        }
        opened_one->on_damage = [&](std::string_view) { ++told; };
        CHECK(slice_text(trace, range, Earlier::restated, opened_one) == expected);
        damaged.resize(at);
        CHECK(opened(damaged, trace) == nullptr);
    }
    CHECK(refused > 0);
    CHECK(told > 0);
}

/// Returns the index with one state changed at byte `at`, and with right checksums.
Bytes forged(const TraceIndex& index, const LongTrace& trace, std::size_t which, std::size_t at) {
    Bytes made;
    const auto output = open_memory_output("forged", [&](Bytes bytes) { made = std::move(bytes); });
    TraceIndexWriter writer(*output);
    for (std::size_t i = 0; i < index.checkpoints().size(); ++i) {
        auto state = index.state_of(index.checkpoints()[i]);
        REQUIRE(state.has_value());
        if (i == which) state->bytes[at % state->bytes.size()] ^= std::byte{0xFF};
        writer.add(index.checkpoints()[i], state->reader(), state->stage());
    }
    writer.finish(index.identity(), trace.format->name, index.totals());
    output->commit();
    return made;
}

TEST_CASE("law: a forged index breaks nothing") {
    std::uint64_t tried = 0;
    for (const LongTrace& trace : long_traces()) {
        CAPTURE(trace.name);
        const auto index = opened(index_of(trace), trace);
        REQUIRE(index != nullptr);
        if (index->checkpoints().empty()) continue;
        const std::size_t last = index->checkpoints().size() - 1;
        const std::uint64_t positions = index->totals().positions;
        const Range range{Range::Unit::record, positions - 1, positions};
        const std::size_t size = index->checkpoints()[last].raw_size;
        const std::size_t step = std::max<std::size_t>(1, size / (is_full_run() ? 60 : 15));
        for (std::size_t at = 0; at < size; at += step) {
            CAPTURE(at);
            const auto other = opened(forged(*index, trace, last, at), trace);
            REQUIRE(other != nullptr);
            converted(trace, *find_format(formats(), "jsonl"), range, other);  // throws only Error
            ++tried;
        }
    }
    CHECK(tried >= at_least(100));
}

TEST_CASE("law: an index of another trace is not used") {
    const auto traces = long_traces();
    REQUIRE(traces.size() >= 2);
    for (std::size_t i = 1; i < traces.size(); ++i) {
        if (traces[i].bytes == traces[i - 1].bytes) continue;
        const Input input = Input::memory(traces[i].name, traces[i].bytes);
        TraceIndex::Fault fault{};
        CHECK(TraceIndex::open(index_of(traces[i - 1]), input, traces[i - 1].format->name, fault) == nullptr);
        CHECK(fault == TraceIndex::Fault::other_trace);
    }
}

}  // namespace index_laws
