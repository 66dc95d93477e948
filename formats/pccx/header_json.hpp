// formats/pccx/header_json.hpp - the keys of the JSON header, and compact JSON as the reference writes it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "header.hpp"
#include "model/schema.hpp"

namespace hwtrace::pccx {

using Json = nlohmann::ordered_json;

/// The key of metadata of other formats, and the maximum size of its value in bytes, because it is parsed in memory.
inline constexpr std::string_view kept_key = "hwtrace";
inline constexpr std::size_t most_kept = 1u << 20;
/// Begins the key of metadata that have a place in the header.
inline constexpr std::string_view metadata_prefix = "pccx.";

/// The keys that the reference knows, in its order.
enum class Key : std::uint8_t {
    lab_version,
    arch,
    trace,
    payload,
    format_minor,
    mac_dims,
    isa_version,
    peak_tops,
    cycles,
    cores,
    clock_mhz,
    encoding,
    byte_length,
    checksum,
};

/// A key that the reference knows, in one of the objects.
struct KnownKey {
    Key key;
    Object object;
    std::string_view name;
    std::string_view path;  ///< for messages
    bool mandatory;         ///< mandatory if its object is present (formats/pccx/README.md#header)
};
inline constexpr std::array known_keys{
    KnownKey{Key::lab_version, Object::header, "pccx_lab_version", "pccx_lab_version", true},
    KnownKey{Key::arch, Object::header, "arch", "arch", false},
    KnownKey{Key::trace, Object::header, "trace", "trace", false},
    KnownKey{Key::payload, Object::header, "payload", "payload", false},
    KnownKey{Key::format_minor, Object::header, "format_minor", "format_minor", false},
    KnownKey{Key::mac_dims, Object::arch, "mac_dims", "arch.mac_dims", true},
    KnownKey{Key::isa_version, Object::arch, "isa_version", "arch.isa_version", true},
    KnownKey{Key::peak_tops, Object::arch, "peak_tops", "arch.peak_tops", false},
    KnownKey{Key::cycles, Object::trace, "cycles", "trace.cycles", true},
    KnownKey{Key::cores, Object::trace, "cores", "trace.cores", true},
    KnownKey{Key::clock_mhz, Object::trace, "clock_mhz", "trace.clock_mhz", false},
    KnownKey{Key::encoding, Object::payload, "encoding", "payload.encoding", true},
    KnownKey{Key::byte_length, Object::payload, "byte_length", "payload.byte_length", true},
    KnownKey{Key::checksum, Object::payload, "checksum_fnv64", "payload.checksum_fnv64", false},
};

/// Returns the key `name` of an object, or nullptr if the reference does not know it.
const KnownKey* find_key(Object object, std::string_view name) noexcept;
/// Returns the key of the element at `index` if `object` is written as an array.
const KnownKey* key_at(Object object, std::size_t index) noexcept;

/// Returns `text` as a JSON string. Bytes that are not UTF-8 are replaced.
std::string json_text(std::string_view text);
/// Returns rows and columns as a JSON array.
std::string dims_text(const std::array<std::uint32_t, 2>& dims);

/// Builds compact JSON token by token.
class JsonText {
public:
    explicit JsonText(std::string& text) : text_(&text) {}

    void key(std::string_view name) {
        separate();
        *text_ += json_text(name);
        *text_ += ':';
        after_key_ = true;
    }
    void value(std::string_view token) {
        separate();
        *text_ += token;
    }
    void begin(char bracket) {
        separate();
        *text_ += bracket;
        fresh_ = true;
    }
    void end(char bracket) {
        *text_ += bracket;
        fresh_ = false;
    }

private:
    void separate() {
        if (!fresh_ && !after_key_ && !text_->empty()) *text_ += ',';
        fresh_ = after_key_ = false;
    }
    std::string* text_;
    bool fresh_ = false, after_key_ = false;
};

/// Returns the metadata in a value of the key "hwtrace". Returns nullopt if the value has another form, is empty, or
/// contains "pccx." metadata, which belong to other keys.
std::optional<std::vector<Metadata>> kept_metadata(const std::string& kept);

}  // namespace hwtrace::pccx
