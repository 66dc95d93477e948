// formats/pccx/header.hpp - the JSON header: a tolerant parser, and a writer that uses the reference's form.
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

/// The JSON objects in the header (.pccx File Format Specification, JSON Header Fields; formats/pccx/README.md#header).
enum class Object : std::uint8_t { header, arch, trace, payload };
inline constexpr std::size_t objects = 4;

/// The fields of the prefix and the header. A missing key has no value. For a missing clock_mhz, clock() returns the
/// default of the reference.
struct Header {
    std::uint8_t minor = 1;  ///< minor version, byte 5
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
    bool checksum_null = false;  ///< the key exists with the value null
    std::optional<std::uint8_t> format_minor;
    std::uint64_t clock_at = 16,
                  encoding_at = 16;  ///< file offsets of the values; offset of the header if they are missing

    std::array<bool, objects> present{};         ///< by Object: true if the object exists
    std::array<std::string, objects> unknown{};  ///< by Object: unknown keys as compact JSON, `"a":1,"b":[2]`
    std::string kept;                            ///< value of the key "hwtrace", as compact JSON

    /// Returns the clock in MHz: 1000 if the trace object has no clock_mhz, 0 (unknown) if there is no trace object.
    std::uint32_t clock() const noexcept {
        return clock_mhz.value_or(present[static_cast<std::size_t>(Object::trace)] ? 1000u : 0u);
    }
};

/// Parses the JSON in `text`, which is at byte `offset` of the file, into `header`. Does not change the prefix fields.
/// Reports and omits invalid values. If `text` is not a JSON object, reports a finding and throws Failure::input.
/// Throws Failure::limit if the JSON is nested too deeply.
void parse_header(std::string_view text, std::uint64_t offset, const Limits& limits, Findings& findings,
                  Header& header);

/// Returns the header as compact JSON, with keys and numbers as the reference writes them. Unknown keys follow the
/// known keys of their object.
std::string header_text(const Header& header);

/// Returns the shortest decimal string that reads back as `value`. It always has a fraction or an exponent: "1.0",
/// "65.54", "1e21".
std::string real_text(double value);

/// Adds the header to `schema` as metadata "pccx.*", in header order. Restores the metadata of other formats that the
/// key "hwtrace" holds.
void describe(const Header& header, Schema& schema);

/// Creates a header from the metadata of any trace. Stores metadata of other formats in the key "hwtrace". Counts
/// losses for metadata that a header cannot hold.
Header header_of(const Schema& schema, Losses& losses);

}  // namespace hwtrace::pccx
