// Laws of indexes: a slice is the same with an index, without one, and with one that does not fit.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
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
    for (Batch all; declared->read(all);)
        all.clear();
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

/// Returns an FTR file whose relations lead to transactions before and behind them.
Bytes with_relations() {
    std::string log =
        "scv_tr_stream (ID 1, name \"bus\", kind \"k\")\nscv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n)\n";
    const auto line = [&](std::initializer_list<std::string> parts) {
        for (const std::string& part : parts)
            log.append(part).push_back(' ');
        log.back() = '\n';
    };
    for (unsigned id = 1; id <= 3000; ++id) {
        const std::string number = std::to_string(id);
        line({"tx_begin", number, "2", std::to_string(10 * id), "ns"});
        line({"tx_record_attribute", number, "\"a" + std::to_string(id / 700) + "\"", "UNSIGNED =", number});
        line({"tx_end", number, "2", std::to_string(10 * id + 25), "ns"});
        if (id % 3 == 0) line({"tx_relation", "\"before\"", number, std::to_string(id - 1)});
        if (id % 5 == 0) line({"tx_relation", "\"behind\"", std::to_string(id + 100), number});
    }
    const std::span<const std::byte> bytes = std::as_bytes(std::span(log));
    return convert_bytes({bytes.begin(), bytes.end()}, *find_format(formats(), "txlog"), *find_format(formats(), "ftr"),
                         Choices{})
        .bytes;
}

/// Returns a flux stream of numbers and texts.
Bytes with_signals() {
    std::string dump =
        "$timescale 1ns $end\n$scope module top $end\n$var wire 8 ! number $end\n$var string 1 # text $end\n"
        "$var real 64 % real $end\n$upscope $end\n$enddefinitions $end\n";
    for (unsigned i = 0; i < 3000; ++i) {
        dump.append("#").append(std::to_string(10 * i)).append(i % 2 == 0 ? "\nb1011 !\n" : "\nb0 !\n");
        if (i % 7 == 0) dump.append("stext").append(std::to_string(i)).append(" #\n");
        if (i % 11 == 0 && i > 1500) dump.append("r").append(std::to_string(i)).append(".5 %\n");
    }
    const std::span<const std::byte> bytes = std::as_bytes(std::span(dump));
    return convert_bytes({bytes.begin(), bytes.end()}, *find_format(targets(), "vcd"), *find_format(formats(), "flux"),
                         Choices{})
        .bytes;
}

/// The formats whose samples are repeated, apart from STF, and the extensions of their files.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> repeated_formats{
    {{"ftr", "long.ftr"}, {"pccx", "long.pccx"}, {"txlog", "long.txlog"}, {"kanata", "long.kanata"}}};

/// Repeats the text of a log.
Bytes repeated_text(const Sample& sample) {
    constexpr std::size_t enough = 200'000;
    Bytes text;
    while (text.size() < enough && !sample.content.bytes.empty())
        text.insert(text.end(), sample.content.bytes.begin(), sample.content.bytes.end());
    return text;
}

/// Returns long versions of the samples, those of STF in testdata in every container, and µScope samples with many
/// segments.
std::vector<LongTrace> long_traces() {
    std::vector<LongTrace> traces;
    std::map<std::string_view, std::size_t> repeated_samples;  // by format
    const std::size_t most_repeated = is_full_run() ? 6 : 2;
    for (const Sample& sample : good_samples()) {
        if (sample.format->name == "uscope" && sample.name.ends_with(".uscope"))
            traces.push_back({sample.name, sample.format, in_short_segments(sample)});
        const auto* const other =
            std::ranges::find(repeated_formats, sample.format->name, [](auto& one) { return one.first; });
        if (other != repeated_formats.end() && ++repeated_samples[other->first] <= most_repeated) {
            const Bytes bytes = repeated(sample, 2400, other->second);
            if (sample.format->name == "txlog") traces.push_back({sample.name + " .gz", sample.format, in_gzip(bytes)});
            traces.push_back({sample.name, sample.format, bytes});
        }
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
    for (const Sample& sample : picture_samples()) {
        if (sample.format->name != "commitlog" || !sample.valid || !sample.name.ends_with(".commitlog")) continue;
        if (++repeated_samples[sample.format->name] > most_repeated) continue;
        const Bytes text = repeated_text(sample);
        traces.push_back({sample.name + " .gz", sample.format, in_gzip(text)});
        traces.push_back({sample.name, sample.format, text});
    }
    traces.push_back({"signals", find_format(formats(), "flux"), with_signals()});
    traces.push_back({"signals .gz", find_format(formats(), "flux"), in_gzip(with_signals())});
    traces.push_back({"relations", find_format(formats(), "ftr"), with_relations()});
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

/// Returns the records of a slice as text, or the message of the error.
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
    TextOutput text(-1);
    try {
        RangedReader part(*reader, range, options);
        for (Batch batch; part.read(batch); batch.clear())
            dump_records(part.schema(), batch, text);
    } catch (const Error& error) {  // instructions of several harts
        return error.what();
    }
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
        std::vector<std::string_view> targets{"uscope", "jsonl"};
        if (is_full_run() && trace.format->can_write()) targets.push_back(trace.format->name);
        checkpoints += index->checkpoints().size();
        for (const Range& range : ranges_of(positions)) {
            CAPTURE(range.begin);
            for (const std::string_view to : targets) {
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
    for (const IndexExtra extra : {IndexExtra::survey, IndexExtra::outline}) {
        Bytes content = index.extra(extra).value_or(Bytes());
        const bool is_forged = which == index.checkpoints().size() + static_cast<std::size_t>(extra);
        if (is_forged && !content.empty()) content[at % content.size()] ^= std::byte{0xFF};
        writer.add(extra, content);
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
        for (const std::size_t part : {last, last + 1, last + 2}) {  // a state, the survey, the outline
            const std::size_t size =
                part == last ? index->checkpoints()[last].state.raw_size
                             : index->extra(static_cast<IndexExtra>(part - last - 1)).value_or(Bytes()).size();
            const std::size_t step = std::max<std::size_t>(1, size / (is_full_run() ? 24 : 8));
            for (std::size_t at = 0; at < size; at += step) {
                CAPTURE(at);
                const auto other = opened(forged(*index, trace, part, at), trace);
                REQUIRE(other != nullptr);
                converted(trace, *find_format(formats(), "jsonl"), range, other);  // throws only Error
                ++tried;
            }
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
