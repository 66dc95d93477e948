// Laws of waveforms: VCD and FST show the same changes of every trace, and signals keep every change on the way there
// and back.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "formats.hpp"
#include "laws/law_support.hpp"

namespace waveform_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& format_named(std::string_view name) {
    return *find_format(targets(), name);
}

/// Returns "0", "1" and so on for a value, whatever its type: what a waveform can tell about it.
std::string canonical(const Schema& schema, const Field& field, std::uint64_t cell) {
    if (holds_text(field.type)) {
        std::string text(schema.text(static_cast<StringId>(cell)));
        const bool is_states =
            field.type == Type::logic || field.type == Type::bits || field.name.starts_with("value#");
        if (!is_states) return text.empty() ? "none" : text;
        if (text.find_first_not_of('X') == std::string::npos) return "none";
        text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
        return text;
    }
    if (const std::string* label = schema.label(field.enumeration, cell)) return *label;
    if (field.type == Type::enumeration) return std::to_string(cell);
    if (field.type == Type::f32 || field.type == Type::f64) {
        const double value = field.type == Type::f32 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(cell))}
                                                     : std::bit_cast<double>(cell);
        return std::isnan(value) ? "none" : std::to_string(std::bit_cast<std::uint64_t>(value));
    }
    std::string bits;
    for (; cell != 0; cell >>= 1)
        bits.insert(bits.begin(), (cell & 1u) != 0 ? '1' : '0');
    return bits.empty() ? "0" : bits;
}

/// Returns the names of a track and its scopes. Scopes without a name do not count.
std::string full_name(const Schema& schema, const Track& track) {
    std::string name = track.name;
    for (ScopeId scope = track.scope; scope < schema.scopes().size(); scope = schema.scopes()[scope].parent)
        if (!schema.scopes()[scope].name.empty()) name.insert(0, schema.scopes()[scope].name + '\n');
    return name;
}

std::string femtoseconds(const TimeBase& base, Tick time) {
    constexpr std::uint64_t per_second = 1'000'000'000'000'000;
    if (base.kind == TimeBase::Kind::ordinal || base.den == 0) return std::to_string(time * 1'000'000);
    return std::to_string(scale(time, Ratio{base.num * (per_second / base.den), 1}).value);
}

/// Returns all changes of signals as lines, by variable and time.
std::vector<std::string> changes_of(const Bytes& file, const Format& format) {
    Input input = Input::memory("waveform", file);
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    const Schema& schema = reader->schema();
    std::vector<std::string> lines;
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            if (record.kind != Kind::change) continue;
            const Track& track = schema.tracks()[record.track];
            // A target that tells fields apart by name has the fields of one value as value#0 and value#1.
            const auto base = [](const Field& field) { return field.name.substr(0, field.name.find('#')); };
            const bool is_single = std::ranges::all_of(
                track.fields, [&](const Field& field) { return base(field) == base(track.fields.front()); });
            const auto put = [&](const Field& field, const std::string& value) {
                std::string line = full_name(schema, track);
                if (!is_single) line.append("\n").append(field.name);
                lines.push_back(line + "\n#" + femtoseconds(track.time, record.time) + ' ' + value);
            };
            if ((record.flags & record_no_value) != 0) put(track.fields.front(), "none");
            for (const Attribute& value : batch.attributes(record))
                put(track.fields[value.field], canonical(schema, track.fields[value.field], value.value));
        }
    }
    CHECK(findings.effect() == Effect::harmless);
    std::ranges::stable_sort(lines, {}, [](const std::string& line) { return line.substr(0, line.rfind(' ')); });
    return lines;
}

/// Returns true if every signal of the trace has one member, and picoseconds or another base of known length.
bool has_plain_signals(const Bytes& file, const Format& format) {
    Input input = Input::memory("waveform", file);
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    Batch batch;
    while (reader->read(batch))
        batch.clear();
    const auto& tracks = reader->schema().tracks();
    const auto is_plain = [&](const Track& track) {
        return track.kind == Track::Kind::signal && track.time == tracks.front().time && !track.fields.empty() &&
               std::ranges::all_of(track.fields, [&](const Field& field) {
                   return !field.repeated && field.name == "value" && field.type != Type::blob;
               });
    };
    return !tracks.empty() && std::ranges::all_of(tracks, is_plain);
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text.append(line).append("; ");
    return text;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const auto [at, other] = std::ranges::mismatch(a, b);
    if (at == a.end() && other == b.end()) return {};
    return (at == a.end() ? "nothing" : *at) + " / " + (other == b.end() ? "nothing" : *other);
}

}  // namespace

TEST_CASE("VCD and FST show the same changes of every trace, are valid, and lose only what was foretold") {
    const Format& vcd = format_named("vcd");
    const Format& fst = format_named("fst");
    std::size_t traces = 0;
    for (const Sample& sample : good_samples()) {
        if (sample.content.bytes.size() > 1u << 16) continue;
        CAPTURE(sample.name);
        const Rewritten text = convert_bytes(sample.content.bytes, *sample.format, vcd);
        const Rewritten binary = convert_bytes(sample.content.bytes, *sample.format, fst);
        CHECK(joined(text.unexpected()) == "");
        CHECK(joined(binary.unexpected()) == "");
        CHECK(read_story(text.bytes, vcd, CheckLevel::semantic).good());
        CHECK(read_story(binary.bytes, fst, CheckLevel::semantic).good());
        CHECK(convert_bytes(sample.content.bytes, *sample.format, fst).bytes == binary.bytes);
        const bool is_narrowed = std::ranges::any_of(
            text.losses.entries(), [](const auto& entry) { return entry.first.first == Loss::value_narrowed; });
        std::vector<std::string> of_text = changes_of(text.bytes, vcd), of_binary = changes_of(binary.bytes, fst);
        std::ranges::sort(of_text);  // two variables may have one name
        std::ranges::sort(of_binary);
        if (!is_narrowed) CHECK(first_difference(of_text, of_binary) == "");
        ++traces;
    }
    CHECK(traces >= at_least(50));
}

TEST_CASE("signals keep every change through FST: flux to FST to flux, VCD to FST to VCD") {
    const Format& fst = format_named("fst");
    std::vector<Sample> samples = picture_samples();
    std::erase_if(samples, [](const Sample& sample) { return !sample.format->can_write(); });
    for (const Sample& sample : good_samples())
        if (sample.format->name == "flux") samples.push_back(sample);
    std::size_t traces = 0;
    for (const Sample& sample : samples) {
        if (!sample.valid || sample.content.bytes.size() > 1u << 16) continue;
        if (sample.format->name == "flux" && !has_plain_signals(sample.content.bytes, *sample.format)) continue;
        if (!read_story(sample.content.bytes, *sample.format).good()) continue;
        CAPTURE(sample.name);
        const Rewritten written = convert_bytes(sample.content.bytes, *sample.format, fst);
        if (!written.losses.none()) continue;  // states that FST lacks
        const Bytes& through = written.bytes;
        const Format& end = sample.format->name == "fst" ? format_named("flux") : *sample.format;
        const Bytes back = convert_bytes(through, fst, end).bytes;
        const std::vector<std::string> before = changes_of(sample.content.bytes, *sample.format);
        CHECK(first_difference(before, changes_of(through, fst)) == "");
        const Rewritten narrowed = convert_bytes(through, fst, format_named("vcd"));
        if (end.name != "vcd" || narrowed.losses.none()) CHECK(first_difference(before, changes_of(back, end)) == "");
        traces += before.empty() ? 0 : 1;
    }
    MESSAGE(traces << " traces");
    CHECK(traces >= 5);
}

TEST_CASE("damaged waveforms never cause a crash") {
    std::mt19937 random(7);
    for (const Sample& sample : picture_samples()) {
        CAPTURE(sample.name);
        if (sample.content.bytes.size() > 4096) continue;
        for (std::uint64_t round = 0; round < share_of(200) + 4; ++round) {
            Bytes bytes = sample.content.bytes;
            const std::size_t changes = 1 + random() % 4;
            for (std::size_t i = 0; i < changes; ++i)
                bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            if (round % 4 == 0) bytes.resize(random() % bytes.size());
            const Story story = read_story(bytes, *sample.format, CheckLevel::semantic);
            if (story.failure) CHECK(*story.failure != Failure::internal);
        }
    }
}

}  // namespace waveform_laws
