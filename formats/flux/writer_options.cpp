#include "writer_options.hpp"

#include <string>
#include <string_view>

#include "io/error.hpp"
#include "options.hpp"

namespace hwtrace::flux {

WantedLayout wanted_layout(const Settings& settings) {
    const std::string version = settings.text(options, version_option);
    const std::string layout = settings.text(options, layout_option);
    WantedLayout wanted;
    if (version != "source") wanted.version = version == "4" ? version_4 : version_6;
    if (layout != "source") wanted.is_impulse_3 = layout == "impulse3";
    if (wanted.version == version_4 && wanted.is_impulse_3 == true)
        fail(Failure::usage,
             "--flux-version 4 and --flux-layout impulse3 exclude each other: impulse 3 writes version 6");
    return wanted;
}

std::optional<Pack> wanted_packing(const Settings& settings) {
    const std::string text = settings.text(options, pack_option);
    if (text == "lz4") return Pack::lz4;
    if (text == "fastlz") return Pack::fastlz;
    if (text == "zlib") return Pack::zlib;
    if (text == "gzip") return Pack::gzip;
    return std::nullopt;
}

std::optional<WantedRing> wanted_ring(const Settings& settings) {
    const std::string text = settings.text(options, ring_option);
    if (text.empty()) return std::nullopt;
    const std::size_t colon = text.find(':');
    const auto size = parse_count(std::string_view(text).substr(0, colon));
    const auto sections = colon == std::string::npos ? WantedRing{}.sections : parse_count(text.substr(colon + 1));
    if (!size || !sections)
        fail(Failure::usage, "--" + std::string(ring_option) + " expects bytes or bytes:sections, not '" + text + "'");
    if (wanted_packing(settings))
        fail(Failure::usage,
             "--" + std::string(ring_option) + " and --" + std::string(pack_option) + " exclude each other");
    check_limit(*size, settings.limits.block, "a ring", "--max-block");
    return WantedRing{*size, *sections};
}

}  // namespace hwtrace::flux
