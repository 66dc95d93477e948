#include "header_choice.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "codec.hpp"
#include "payload_layout.hpp"

namespace hwtrace::pccx {

namespace {

constexpr std::uint64_t picosecond_mhz = 1'000'000;  // a clock with cycles of one picosecond

bool is_present(const Header& header, Object object) noexcept {
    return header.present[static_cast<std::size_t>(object)];
}

/// Sets a mandatory value that the source's header lacks.
template <typename T, typename Value>
void complete(std::optional<T>& value, std::string_view key, const Value& derived, Losses& losses) {
    if (value) return;
    value = derived;
    std::string text = std::string(key).append(", which the header lacks, becomes ");
    if constexpr (std::is_integral_v<T>)
        text += std::to_string(*value);
    else
        text.append("\"").append(*value).append("\"");
    losses.assume(std::move(text));
}

/// Sets the mandatory values that do not depend on the events, like those of a trace of another format.
void complete_begin(Header& header, Layout layout, Losses& losses) {
    complete(header.lab_version, "pccx_lab_version", "hwtrace", losses);
    if (is_present(header, Object::arch)) {
        if (!header.mac_dims) {
            header.mac_dims = std::array<std::uint32_t, 2>{};
            losses.assume("arch.mac_dims, which the header lacks, becomes [0,0]");
        }
        complete(header.isa_version, "arch.isa_version", "", losses);
    }
    if (is_present(header, Object::payload)) {
        complete(header.encoding, "payload.encoding", encoding_of(layout), losses);
        if (!header.byte_length) losses.assume("payload.byte_length, which the header lacks, is the rest of the file");
    }
}

void choose_payload(const Schema& schema, const Settings& settings, Layout layout, bool is_ours, Header& header) {
    if (!header.encoding || layout != source_layout(schema)) header.encoding = encoding_of(layout);
    const std::string checksum = settings.text(options, checksum_option);
    const bool had_number = header.checksum.has_value();
    const bool with_checksum = checksum == "number" || (checksum == "source" && (had_number || !is_ours));
    if (with_checksum) {
        header.checksum = header.checksum.value_or(std::numeric_limits<std::uint64_t>::max());
        header.checksum_null = false;
    } else {
        header.checksum.reset();
        header.checksum_null = header.checksum_null || had_number || !is_ours;
    }
    header.byte_length = header.byte_length.value_or(0);
    if (is_ours && layout == Layout::opaque && !is_present(header, Object::payload)) {
        header.byte_length.reset();  // a file without a payload stays without one
        header.encoding.reset();
    } else {
        header.present[static_cast<std::size_t>(Object::payload)] = true;
    }
}

/// Chooses the clock for a trace of another format. Keeps the clock of the trace if it is a whole number of MHz;
/// otherwise a cycle is one picosecond.
void choose_clock(const Schema& schema, Header& header) {
    if (header.clock_mhz) return;
    constexpr std::uint64_t usual_mhz = 1000;  // for a trace whose streams have no times
    std::uint64_t mhz = usual_mhz;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::stream || track.time.kind == TimeBase::Kind::ordinal) continue;
        mhz = 0;
        if (track.time.kind == TimeBase::Kind::cycles) {
            const std::uint64_t hertz = track.time.num == 0 ? 0 : track.time.den / track.time.num;
            if (track.time.den == 0 || (hertz % 1'000'000 == 0 && hertz * track.time.num == track.time.den))
                mhz = hertz / 1'000'000;
            else
                mhz = picosecond_mhz;
            break;
        }
        const std::uint64_t period = schema.clocks().empty() ? 0 : schema.clocks().front().period_ps;
        mhz = period != 0 && picosecond_mhz % period == 0 ? picosecond_mhz / period : picosecond_mhz;
        break;
    }
    if (mhz > std::numeric_limits<std::uint32_t>::max()) mhz = picosecond_mhz;
    header.clock_mhz = static_cast<std::uint32_t>(mhz);
}

}  // namespace

Header chosen_header(const Schema& schema, const Settings& settings, Layout layout, bool is_ours, bool completes,
                     Losses& losses) {
    Header header = header_of(schema, losses);
    if (completes) complete_begin(header, layout, losses);
    choose_payload(schema, settings, layout, is_ours, header);
    if (!is_ours) choose_clock(schema, header);
    return header;
}

void complete_trace(Header& header, std::uint64_t cycles, std::uint32_t cores, Losses& losses) {
    if (!is_present(header, Object::trace)) return;
    complete(header.cycles, "trace.cycles", cycles, losses);
    complete(header.cores, "trace.cores", cores, losses);
}

}  // namespace hwtrace::pccx
