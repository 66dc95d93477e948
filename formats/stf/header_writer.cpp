#include "header_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "encode.hpp"
#include "tracks.hpp"
#include "transaction_tracks.hpp"
#include "transaction_wire.hpp"
#include "wire.hpp"

namespace hwtrace::stf {
namespace {

/// Reads numbers from the front of a metadata value.
class Values {
public:
    explicit Values(std::string_view text) : text_(text) {}

    /// Reads the next number and, if `separator` is not 0, the separator after it. Returns nullopt if one of them is
    /// missing or the number exceeds `most`.
    std::optional<std::uint64_t> number(std::uint64_t most, char separator = '\0') {
        int base = 10;
        if (text_.starts_with("0x")) {
            text_.remove_prefix(2);
            base = 16;
        }
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value, base);
        if (error != std::errc{} || value > most) return std::nullopt;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        if (separator != '\0') {
            if (!text_.starts_with(separator)) return std::nullopt;
            text_.remove_prefix(1);
        }
        return value;
    }
    std::string_view rest() const noexcept { return text_; }
    bool at_end() const noexcept { return text_.empty(); }

private:
    std::string_view text_;
};

constexpr std::uint64_t max8 = 0xFF, max16 = 0xFFFF, max32 = 0xFFFF'FFFF;

/// Returns the name of a track's scope, or an empty string if the track has no scope.
std::string_view scope_name(const Schema& schema, TrackId track) {
    const ScopeId scope = schema.tracks()[track].scope;
    return scope == none ? std::string_view() : std::string_view(schema.scopes()[scope].name);
}

/// Parses "1.6" into major and minor version.
std::optional<std::pair<std::uint32_t, std::uint32_t>> version_numbers(std::string_view text) {
    Values values(text);
    const auto major = values.number(max32, '.'), minor = values.number(max32);
    if (!major || !minor || !values.at_end()) return std::nullopt;
    return std::pair{static_cast<std::uint32_t>(*major), static_cast<std::uint32_t>(*minor)};
}

/// Writes one header record per metadata entry.
class HeaderWriter {
public:
    enum class Trace : std::uint8_t { instructions, transactions };
    HeaderWriter(Trace trace, Appender& out, Losses& losses) : trace_(trace), out_(out), losses_(losses) {}

    void identifier() {
        out_.le(static_cast<std::uint8_t>(Descriptor::identifier));
        out_.text("STF");
    }
    /// Writes the record of a metadata entry. Returns false if no record can hold the entry. The entry is then a loss.
    bool entry(const Metadata& entry);
    void version(std::uint32_t major, std::uint32_t minor) {
        append_record(out_, Descriptor::version, major);
        out_.le(minor);
        saw(Descriptor::version);
    }
    void missing(std::optional<std::uint64_t> first_pc);
    void missing_of_transactions(const Schema& schema);
    void end() { out_.le(static_cast<std::uint8_t>(Descriptor::end_header)); }
    bool has(Descriptor descriptor) const { return seen_[static_cast<std::size_t>(descriptor)]; }

    HeaderFacts facts;

private:
    void saw(Descriptor descriptor) { seen_[static_cast<std::size_t>(descriptor)] = true; }
    template <std::integral T>
    bool number(Descriptor descriptor, std::string_view value, T& parsed) {
        Values values(value);
        const auto read = values.number(std::numeric_limits<T>::max());
        if (!read || !values.at_end()) return false;
        parsed = static_cast<T>(*read);
        append_record(out_, descriptor, parsed);
        saw(descriptor);
        return true;
    }
    bool text(Descriptor descriptor, std::string_view value) {
        if (value.size() > max32) return false;
        append_record(out_, descriptor, static_cast<std::uint32_t>(value.size()));
        out_.text(value);
        saw(descriptor);
        return true;
    }
    bool trace_info(std::string_view value);
    bool process_id(std::string_view value);
    bool clock(std::uint8_t id, std::string_view name);
    bool clock(std::string_view value);
    void generator() {
        if (has(Descriptor::trace_info)) return;
        losses_.assume("STF header: trace generator 255, hwtrace");
        trace_info(std::to_string(generator_unlisted) + " 0 1 0 hwtrace");
    }
    void features(std::uint64_t bits) { facts.event64 = (bits & feature_event64) != 0; }

    Trace trace_;
    Appender& out_;
    Losses& losses_;
    std::array<bool, 256> seen_{};
    bool rv64_ = true;
};

bool HeaderWriter::entry(const Metadata& entry) {
    const std::string_view key = entry.key, value = entry.value;
    if (key == "stf.version") {
        const auto numbers = version_numbers(value);
        if (numbers) version(numbers->first, numbers->second);
        return numbers.has_value();
    }
    if (key == "stf.comment") return text(Descriptor::comment, value);
    if (key == "stf.isa_extended") return text(Descriptor::isa_extended, value);
    if (key == "stf.trace_info") return trace_info(value);
    if (key == "stf.process_id") return process_id(value);
    if (std::uint16_t code = 0; key == "stf.isa") return number(Descriptor::isa, value, code);
    if (std::uint16_t code = 0; key == "stf.inst_iem") {
        if (!number(Descriptor::inst_iem, value, code)) return false;
        rv64_ = code == iem_rv64;
        return true;
    }
    if (key == "stf.force_pc") return number(Descriptor::force_pc, value, facts.start_pc);
    if (std::uint64_t bits = 0; key == "stf.features") {
        if (!number(Descriptor::trace_info_feature, value, bits)) return false;
        features(bits);
        return true;
    }
    if (std::uint32_t bits = 0; key == "stf.vlen") {
        if (!number(Descriptor::vlen_config, value, bits)) return false;
        facts.vector_words = words_of_vector(bits);
        return true;
    }
    if (trace_ == Trace::instructions) return false;
    if (std::uint8_t id = 0; key == "stf.protocol") return number(Descriptor::protocol_id, value, id);
    if (key == "stf.clock") return clock(value);
    return false;
}

bool HeaderWriter::clock(std::uint8_t id, std::string_view name) {
    if (name.size() > max16) return false;
    append_record(out_, Descriptor::clock_id, id);
    out_.le(static_cast<std::uint16_t>(name.size()));
    out_.text(name);
    saw(Descriptor::clock_id);
    return true;
}

bool HeaderWriter::clock(std::string_view value) {
    Values values(value);
    const auto id = values.number(max8, ' ');
    return id && clock(static_cast<std::uint8_t>(*id), values.rest());
}

void HeaderWriter::missing_of_transactions(const Schema& schema) {
    generator();
    if (!has(Descriptor::trace_info_feature)) {
        losses_.assume("STF header: feature transactions");
        append_record(out_, Descriptor::trace_info_feature, feature_transactions);
    }
    if (!has(Descriptor::protocol_id)) {
        losses_.assume("STF header: protocol TileLink");
        append_record(out_, Descriptor::protocol_id, protocol_tilelink);
    }
    for (const StreamClock& use : clocks_of_streams(schema)) {
        if (use.stated) continue;
        const std::string name(scope_name(schema, use.stream));
        if (clock(use.id, name)) losses_.assume("STF header: clock " + std::to_string(use.id) + " is '" + name + "'");
    }
}

bool HeaderWriter::trace_info(std::string_view value) {
    Values values(value);
    std::array<std::uint8_t, 4> numbers{};
    for (std::uint8_t& number : numbers) {
        const auto read = values.number(max8, ' ');
        if (!read) return false;
        number = static_cast<std::uint8_t>(*read);
    }
    if (values.rest().size() > max16) return false;
    out_.le(static_cast<std::uint8_t>(Descriptor::trace_info));
    for (const std::uint8_t number : numbers)
        out_.le(number);
    out_.le(static_cast<std::uint16_t>(values.rest().size()));
    out_.text(values.rest());
    saw(Descriptor::trace_info);
    return true;
}

bool HeaderWriter::process_id(std::string_view value) {
    Values values(value);
    const auto hart = values.number(max32, ' '), process = values.number(max32, ' '), thread = values.number(max32);
    if (!hart || !process || !thread || !values.at_end()) return false;
    append_record(out_, Descriptor::process_id_ext, static_cast<std::uint32_t>(*hart));
    out_.le(static_cast<std::uint32_t>(*process));
    out_.le(static_cast<std::uint32_t>(*thread));
    saw(Descriptor::process_id_ext);
    return true;
}

void HeaderWriter::missing(std::optional<std::uint64_t> first_pc) {
    if (!has(Descriptor::isa)) {
        losses_.assume("STF header: ISA RISC-V");
        append_record(out_, Descriptor::isa, isa_riscv);
    }
    if (!has(Descriptor::inst_iem)) {
        losses_.assume("STF header: instruction encoding mode RV64");
        append_record(out_, Descriptor::inst_iem, iem_rv64);
    }
    generator();
    if (!has(Descriptor::trace_info_feature)) {
        losses_.assume(rv64_ ? "STF header: features RV64 and 64-bit events" : "STF header: feature 64-bit events");
        append_record(out_, Descriptor::trace_info_feature, (rv64_ ? feature_rv64 : 0) | feature_event64);
        facts.event64 = true;
    }
    if (!has(Descriptor::force_pc)) {
        facts.start_pc = first_pc.value_or(0);
        losses_.assume("STF header: the trace starts at the pc of its first instruction");
        append_record(out_, Descriptor::force_pc, facts.start_pc);
    }
}

/// Writes the beginning of a header for either kind of trace: identifier, VERSION and the records of all metadata.
void append_metadata(HeaderWriter& header, const Schema& schema, Losses& losses) {
    header.identifier();
    if (const std::string* version = schema.metadata("stf.version"); version == nullptr || !version_numbers(*version)) {
        losses.assume("STF header: version 1.6");
        header.version(1, 6);
    }
    for (const Metadata& entry : schema.metadata()) {
        if (!header.entry(entry)) losses.count(Loss::metadata_dropped, entry.key, [&] { return entry.value; });
    }
}

}  // namespace

void count_names(const Schema& schema, Losses& losses) {
    const auto lost = [&](Loss loss, std::string_view subject, std::string_view what) {
        losses.count(loss, subject, [&] { return std::string(what); });
    };
    const auto hart = std::ranges::find(schema.tracks(), Track::Kind::hart, &Track::kind);
    const bool has_hart = hart != schema.tracks().end();
    if (has_hart && (hart->name != hart_name || hart->time != ordinals))
        lost(Loss::name_changed, hart->name, "the hart of an STF trace is core0, and its times count instructions");
    const auto is_ours = [&](const Scope& scope) {
        return (scope.name == hart_name && scope.parent < schema.scopes().size() &&
                schema.scopes()[scope.parent].name == root_name && schema.scopes()[scope.parent].parent == none) ||
               (scope.name == root_name && scope.parent == none);
    };
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        const Scope& scope = schema.scopes()[id];
        if (!is_ours(scope) || (has_hart && id == hart->scope && scope.name != hart_name))
            lost(Loss::scope_flattened, scope.name, "an STF trace has only the scope core0 in /");
    }
    for (const Clock& clock : schema.clocks())
        lost(Loss::part_dropped, clock.name, "a trace of instructions has no clock");
    for (const Enum& enumeration : schema.enums())
        lost(Loss::part_dropped, enumeration.name, "a trace of instructions has no enumeration");
}

bool counts_gaps(const Track& track, const Settings& settings) {
    return track.kind == Track::Kind::hart && track.time == ordinals && settings.source_format != "stf";
}

HeaderFacts append_header(Appender& out, const Schema& schema, std::optional<std::uint64_t> first_pc, Losses& losses) {
    HeaderWriter header(HeaderWriter::Trace::instructions, out, losses);
    append_metadata(header, schema, losses);
    header.missing(first_pc);
    header.end();
    return header.facts;
}

std::vector<std::string> metadata_without_place(const Schema& schema) {
    Appender unused;
    Losses losses;
    const auto trace = has_transactions(schema) ? HeaderWriter::Trace::transactions : HeaderWriter::Trace::instructions;
    HeaderWriter header(trace, unused, losses);
    append_metadata(header, schema, losses);
    std::vector<std::string> keys;
    for (const auto& [lost, entry] : losses.entries())
        if (lost.first == Loss::metadata_dropped) keys.push_back(lost.second);
    return keys;
}

void append_transaction_header(Appender& out, const Schema& schema, Losses& losses) {
    HeaderWriter header(HeaderWriter::Trace::transactions, out, losses);
    append_metadata(header, schema, losses);
    header.missing_of_transactions(schema);
    header.end();
}

std::vector<StreamClock> clocks_of_streams(const Schema& schema) {
    std::array<std::optional<std::string_view>, 256> stated{};
    std::array<bool, 256> taken{};
    for (const Metadata& entry : schema.metadata()) {
        if (entry.key != "stf.clock") continue;
        Values values(entry.value);
        const auto id = values.number(max8, ' ');
        if (!id || values.rest().size() > max16 || stated[*id]) continue;
        stated[*id] = values.rest();
    }
    std::vector<StreamClock> clocks;
    std::vector<TrackId> waiting;
    const auto take = [&](TrackId stream, std::uint64_t id) {
        taken[id] = true;
        clocks.push_back({stream, static_cast<std::uint8_t>(id), stated[id].has_value()});
    };
    const auto number = [&](TrackId stream) -> std::optional<std::uint64_t> {
        const ScopeId scope = schema.tracks()[stream].scope;
        return scope == none ? std::nullopt : schema.scopes()[scope].native_id;
    };
    const auto settle = [&](auto choose) {
        std::erase_if(waiting, [&](TrackId stream) {
            const std::optional<std::uint64_t> id = choose(stream);
            if (id) take(stream, *id);
            return id.has_value();
        });
    };
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        if (is_transaction_stream(schema.tracks()[id])) waiting.push_back(id);
    settle([&](TrackId stream) {
        const auto id = number(stream);
        return id && *id <= max8 && !taken[*id] && stated[*id] == scope_name(schema, stream) ? id : std::nullopt;
    });
    const auto first = [&](auto suits) -> std::optional<std::uint64_t> {
        for (std::uint64_t id = 1; id <= stated.size(); ++id)
            if (const std::uint64_t at = id % stated.size(); !taken[at] && suits(at)) return at;
        return std::nullopt;
    };
    settle([&](TrackId stream) {
        return first([&](std::uint64_t id) { return stated[id] == scope_name(schema, stream); });
    });
    settle([&](TrackId stream) {
        const auto id = number(stream);
        return id && *id > 0 && *id <= max8 && !taken[*id] && !stated[*id] ? id : std::nullopt;
    });
    settle([&](TrackId) { return first([&](std::uint64_t id) { return id > 0 && !stated[id]; }); });
    return clocks;
}

}  // namespace hwtrace::stf
