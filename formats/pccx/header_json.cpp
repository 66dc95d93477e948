#include "header_json.hpp"

#include <algorithm>
#include <charconv>

#include "io/number_text.hpp"

namespace hwtrace::pccx {

const KnownKey* find_key(Object object, std::string_view name) noexcept {
    const auto* const found = std::find_if(known_keys.begin(), known_keys.end(), [&](const KnownKey& known) {
        return known.object == object && known.name == name;
    });
    return found == known_keys.end() ? nullptr : &*found;
}

const KnownKey* key_at(Object object, std::size_t index) noexcept {
    for (const KnownKey& known : known_keys)
        if (known.object == object && index-- == 0) return &known;
    return nullptr;
}

std::string json_text(std::string_view text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dims_text(const std::array<std::uint32_t, 2>& dims) {
    return std::string("[").append(std::to_string(dims[0])).append(",").append(std::to_string(dims[1])).append("]");
}

std::optional<std::vector<Metadata>> kept_metadata(const std::string& kept) {
    if (kept.size() > most_kept) return std::nullopt;
    const Json json = Json::parse(kept, nullptr, false);
    if (!json.is_object() || json.size() != 1 || !json.contains("metadata") || !json["metadata"].is_array())
        return std::nullopt;
    std::vector<Metadata> metadata;
    for (const Json& pair : json["metadata"]) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) return std::nullopt;
        metadata.push_back({pair[0].get<std::string>(), pair[1].get<std::string>()});
        if (metadata.back().key.starts_with(metadata_prefix)) return std::nullopt;
    }
    const bool is_whole = json.dump() == kept;  // false if a key occurs twice
    if (metadata.empty() || !is_whole) return std::nullopt;
    return metadata;
}

std::string real_text(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
    const std::size_t e = text.find('e');
    std::string digits;
    std::copy_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(e), std::back_inserter(digits),
                 [](char c) { return c >= '0' && c <= '9'; });
    std::string_view exponent_text = text.substr(e + 1);
    if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
    const int exponent = parse_decimal<int>(exponent_text).value_or(0);
    const int point = exponent + 1;  // digits before the decimal point
    const int count = static_cast<int>(digits.size());

    std::string out = text.starts_with('-') ? "-" : "";
    if (point >= count && point <= 16) {
        out.append(digits).append(static_cast<std::size_t>(point - count), '0').append(".0");
    } else if (point > 0 && point <= 16) {
        out.append(digits, 0, static_cast<std::size_t>(point))
            .append(".")
            .append(digits, static_cast<std::size_t>(point));
    } else if (point > -5 && point <= 0) {
        out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
    } else {
        out.append(digits, 0, 1);
        if (count > 1) out.append(".").append(digits, 1);
        out.append("e").append(std::to_string(exponent));
    }
    return out;
}

std::string header_text(const Header& header) {
    std::string text;
    JsonText json(text);
    const auto member = [&](std::string_view name, const std::string& token) {
        json.key(name);
        json.value(token);
    };
    const auto natural = [&](std::string_view name, const auto& value) {
        if (value) member(name, std::to_string(*value));
    };
    const auto string = [&](std::string_view name, const std::optional<std::string>& value) {
        if (value) member(name, json_text(*value));
    };
    const auto begin = [&](Object object, std::string_view name) {
        if (!header.present[static_cast<std::size_t>(object)]) return false;
        json.key(name);
        json.begin('{');
        return true;
    };
    const auto end = [&](Object object) {
        if (const std::string& unknown = header.unknown[static_cast<std::size_t>(object)]; !unknown.empty())
            json.value(unknown);
        json.end('}');
    };

    json.begin('{');
    string("pccx_lab_version", header.lab_version);
    if (begin(Object::arch, "arch")) {
        if (header.mac_dims) member("mac_dims", dims_text(*header.mac_dims));
        string("isa_version", header.isa_version);
        if (header.peak_tops) member("peak_tops", real_text(*header.peak_tops));
        end(Object::arch);
    }
    if (begin(Object::trace, "trace")) {
        natural("cycles", header.cycles);
        natural("cores", header.cores);
        natural("clock_mhz", header.clock_mhz);
        end(Object::trace);
    }
    if (begin(Object::payload, "payload")) {
        string("encoding", header.encoding);
        natural("byte_length", header.byte_length);
        if (header.checksum_null && !header.checksum) member("checksum_fnv64", "null");
        natural("checksum_fnv64", header.checksum);
        end(Object::payload);
    }
    natural("format_minor", header.format_minor);
    if (!header.kept.empty()) member(kept_key, header.kept);
    end(Object::header);
    return text;
}

}  // namespace hwtrace::pccx
