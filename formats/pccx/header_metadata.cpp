// formats/pccx/header_metadata.cpp - the header as metadata of a trace, and back.
#include <algorithm>
#include <vector>

#include "codec.hpp"
#include "domain/utf8.hpp"
#include "header.hpp"
#include "header_json.hpp"
#include "io/number_text.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

namespace {

constexpr std::string_view version_key = "pccx.version";
constexpr std::string_view reserved_key = "pccx.reserved";
constexpr std::array<std::string_view, objects> prefixes{metadata_prefix, "pccx.arch.", "pccx.trace.", "pccx.payload."};
constexpr std::string_view unknown_keys = "unknown_keys";

std::string metadata_key(Object object, std::string_view name) {
    return std::string(prefixes[static_cast<std::size_t>(object)]).append(name);
}

/// Parses two numbers written as "[32,32]". Returns nullopt for any other form.
std::optional<std::array<std::uint32_t, 2>> dims_in(std::string_view text) noexcept {
    if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
    text = text.substr(1, text.size() - 2);
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto rows = parse_decimal<std::uint32_t>(text.substr(0, comma));
    const auto columns = parse_decimal<std::uint32_t>(text.substr(comma + 1));
    if (!rows || !columns) return std::nullopt;
    return std::array{*rows, *columns};
}

/// Returns the members of the JSON object in `text`, without the braces. Returns nullopt if `text` is not a JSON
/// object, is nested too deeply, or contains a key that the format defines for this kind of object.
std::optional<std::string_view> unknown_members(std::string_view text, Object object) {
    if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
    if (text.find('\0') != std::string_view::npos) return std::nullopt;  // the JSON library would stop there
    const std::uint64_t most_depth =
        Limits{}.depth - (object == Object::header ? 0 : 1);  // readable with default limits
    bool is_empty = true, is_wrong = false;
    const auto keep_nothing = [&](int depth, Json::parse_event_t event, const Json& parsed) {
        const bool begins = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
        is_wrong = is_wrong || (begins && static_cast<std::uint64_t>(depth) >= most_depth);
        if (event == Json::parse_event_t::key && depth == 1) {
            is_empty = false;
            is_wrong = is_wrong || find_key(object, parsed.get_ref<const std::string&>()) != nullptr;  // a known key
        }
        return depth == 0;
    };
    if (!Json::parse(text, keep_nothing, false).is_object() || is_wrong) return std::nullopt;
    return is_empty ? std::string_view{} : text.substr(1, text.size() - 2);
}

/// Stores a "pccx." metadata entry in the header. Returns false if its value is invalid.
bool take_metadata(const Metadata& entry, Header& header) {
    const std::string_view value = entry.value;
    const auto number = [&](auto& place) {
        using Number = typename std::remove_reference_t<decltype(place)>::value_type;
        place = parse_decimal<Number>(value);
        return place.has_value();
    };
    if (entry.key == version_key) {
        const std::size_t dot = value.find('.');
        const auto minor = parse_decimal<std::uint8_t>(value.substr(std::min(dot + 1, value.size())));
        if (!value.starts_with("1.") || !minor) return false;
        header.minor = *minor;
        return true;
    }
    if (entry.key == reserved_key) {
        const auto reserved = parse_decimal<std::uint16_t>(value);
        header.reserved = reserved.value_or(0);
        return reserved.has_value();
    }
    for (std::size_t i = 0; i < objects; ++i) {
        if (entry.key != metadata_key(static_cast<Object>(i), unknown_keys)) continue;
        const auto members = unknown_members(value, static_cast<Object>(i));
        if (!members) return false;
        header.unknown[i] = *members;
        header.present[i] = true;
        return true;
    }
    for (const KnownKey& known : known_keys) {
        if (entry.key != metadata_key(known.object, known.name)) continue;
        header.present[static_cast<std::size_t>(known.object)] = true;
        switch (known.key) {
            case Key::lab_version:
                header.lab_version = value;
                return true;
            case Key::format_minor:
                return number(header.format_minor);
            case Key::mac_dims:
                header.mac_dims = dims_in(value);
                return header.mac_dims.has_value();
            case Key::isa_version:
                header.isa_version = value;
                return true;
            case Key::peak_tops: {
                const auto real = parse_decimal<double>(value);
                if (!real || *real - *real != 0) return false;  // JSON has no NaN and no infinity
                header.peak_tops = real;
                return true;
            }
            case Key::cycles:
                return number(header.cycles);
            case Key::cores:
                return number(header.cores);
            case Key::clock_mhz:
                return number(header.clock_mhz);
            case Key::encoding:
                header.encoding = value;
                return true;
            case Key::byte_length:
                return number(header.byte_length);
            case Key::checksum:
                header.checksum_null = value == "null";
                return header.checksum_null || number(header.checksum);
            case Key::arch:
            case Key::trace:
            case Key::payload:
                return false;
        }
    }
    // The payload writer uses these keys.
    return entry.key == layout_key || entry.key == events_key || entry.key == total_cycles_key;
}

}  // namespace

void describe(const Header& header, Schema& schema) {
    schema.describe(std::string(version_key), std::string("1.").append(std::to_string(header.minor)));
    if (header.reserved != 0) schema.describe(std::string(reserved_key), std::to_string(header.reserved));
    const auto text = [&](Object object, std::string_view name, const std::optional<std::string>& value) {
        if (value) schema.describe(metadata_key(object, name), *value);
    };
    const auto natural = [&](Object object, std::string_view name, const auto& value) {
        if (value) schema.describe(metadata_key(object, name), std::to_string(*value));
    };
    const auto unknown = [&](Object object) {
        const std::string& members = header.unknown[static_cast<std::size_t>(object)];
        if (!members.empty()) schema.describe(metadata_key(object, unknown_keys), "{" + members + "}");
    };
    text(Object::header, "pccx_lab_version", header.lab_version);
    if (header.mac_dims) schema.describe(metadata_key(Object::arch, "mac_dims"), dims_text(*header.mac_dims));
    text(Object::arch, "isa_version", header.isa_version);
    if (header.peak_tops) schema.describe(metadata_key(Object::arch, "peak_tops"), real_text(*header.peak_tops));
    unknown(Object::arch);
    natural(Object::trace, "cycles", header.cycles);
    natural(Object::trace, "cores", header.cores);
    natural(Object::trace, "clock_mhz", header.clock_mhz);
    unknown(Object::trace);
    text(Object::payload, "encoding", header.encoding);
    natural(Object::payload, "byte_length", header.byte_length);
    if (header.checksum_null) schema.describe(metadata_key(Object::payload, "checksum_fnv64"), "null");
    natural(Object::payload, "checksum_fnv64", header.checksum);
    unknown(Object::payload);
    natural(Object::header, "format_minor", header.format_minor);
    if (!header.kept.empty()) {
        for (Metadata& entry : kept_metadata(header.kept).value_or(std::vector<Metadata>{}))
            schema.describe(std::move(entry.key), std::move(entry.value));
    }
    unknown(Object::header);
}

Header header_of(const Schema& schema, Losses& losses) {
    Header header;
    Json kept = Json::array();
    std::size_t kept_size = std::string_view("{\"metadata\":[]}").size();
    header.present[static_cast<std::size_t>(Object::header)] = true;
    for (const Metadata& entry : schema.metadata()) {
        const bool ours = entry.key.starts_with(metadata_prefix);
        const std::size_t size = json_text(entry.key).size() + json_text(entry.value).size() + 4;
        const bool fits = kept_size + size <= most_kept;
        const bool used = is_utf8(entry.value) && (ours ? take_metadata(entry, header) : is_utf8(entry.key) && fits);
        if (!used) {
            losses.count(Loss::metadata_dropped, entry.key, [&] { return "'" + entry.value.substr(0, 60) + "'"; });
            continue;
        }
        if (ours) continue;
        kept.push_back(Json::array({entry.key, entry.value}));
        kept_size += size;
    }
    if (!kept.empty()) header.kept = Json{{"metadata", kept}}.dump();
    if (schema.metadata(version_key) != nullptr) return header;

    header.lab_version = header.lab_version.value_or("hwtrace");
    header.mac_dims = header.mac_dims.value_or(std::array<std::uint32_t, 2>{0, 0});
    header.isa_version = header.isa_version.value_or("");
    header.peak_tops = header.peak_tops.value_or(0.0);
    header.format_minor = header.format_minor.value_or(minor_version);
    header.present.fill(true);
    return header;
}

}  // namespace hwtrace::pccx
