// formats/pccx/header.hpp - the JSON header: its facts, read tolerantly and written as the reference writes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/findings.hpp"
#include "codec/losses.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"

namespace hwtrace::pccx {

/// The objects of the header (spec/pccx.txt, JSON Header Fields; README.md, Header).
enum class Object : std::uint8_t { header, arch, trace, payload };
inline constexpr std::size_t objects = 4;

/// What the prefix and the header say. A key that is missing has no value; the functions give the reference reader's
/// default.
struct Header {
    std::uint8_t minor = 1;  ///< byte 5
    std::uint16_t reserved = 0;

    std::optional<std::string> lab_version;
    std::optional<std::array<std::uint32_t, 2>> mac_dims;  ///< rows and columns
    std::optional<std::string> isa_version;
    std::optional<double> peak_tops;
    std::optional<std::uint64_t> cycles;
    std::optional<std::uint32_t> cores;
    std::optional<std::uint32_t> clock_mhz;
    std::optional<std::string> encoding;
    std::optional<std::uint64_t> byte_length;
    std::optional<std::uint64_t> checksum;
    bool checksum_null = false;  ///< the key is there, without a checksum
    std::optional<std::uint8_t> format_minor;
    std::uint64_t clock_at = 16,
                  encoding_at = 16;  ///< bytes of the file where they stand; the header where they do not

    std::array<bool, objects> present{};         ///< arch, trace and payload may be missing as a whole
    std::array<std::string, objects> unknown{};  ///< members of unknown keys as compact JSON, `"a":1,"b":[2]`
    std::string kept;                            ///< the value of our own key "hwtrace", as compact JSON

    /// 1000 where trace has no clock_mhz; 0, which means unknown, where there is no trace.
    std::uint32_t clock() const noexcept {
        return clock_mhz.value_or(present[static_cast<std::size_t>(Object::trace)] ? 1000u : 0u);
    }
};

/// Parses the header's `text`, which stands at byte `offset` of the file, into `header` (whose prefix facts stay).
/// Faults of single values become findings and leave the value out. Throws Failure::input, after the finding, when the
/// text is no JSON object, Failure::limit when it is nested too deeply.
void parse_header(std::string_view text, std::uint64_t offset, const Limits& limits, Findings& findings,
                  Header& header);

/// Compact JSON in the reference's order of keys and forms of numbers; unknown keys stand behind the known ones of
/// their object.
std::string header_text(const Header& header);

/// The shortest decimal text that reads back as `value`, with a fraction or an exponent: "1.0", "65.54", "1e21".
std::string real_text(double value);

/// The header's facts as metadata "pccx.*" of `schema`, in the header's order; foreign metadata that a conversion kept
/// in the unknown key "hwtrace" becomes metadata again.
void describe(const Header& header, Schema& schema);

/// The other way: what the metadata of any trace say about its header. Metadata of other formats go to the unknown key
/// "hwtrace". What cannot be used is a loss.
Header header_of(const Schema& schema, Losses& losses);

}  // namespace hwtrace::pccx
