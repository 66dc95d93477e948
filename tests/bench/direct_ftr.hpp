// tests/bench/direct_ftr.hpp - a plain writer of .ftr files: the cost that a recording interface is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cbor.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"

namespace hwtrace::bench {

/// Writes the transactions of one stream and one generator. Looks up each name and text in the dictionary and each open
/// transaction by its id, as a writer without handles must do. Has no locks, checks or conversions.
class DirectFtr {
public:
    enum class Phase : std::uint8_t { begin = 7, record, end };

    DirectFtr(const std::string& path, bool compressed);
    void begin(std::uint64_t id, std::uint64_t time);
    void number(std::uint64_t id, Phase phase, std::string_view name, std::uint64_t type, std::uint64_t value) {
        attribute(id, phase, name, type).number(value);
    }
    void text(std::uint64_t id, Phase phase, std::string_view name, std::uint64_t type, std::string_view value) {
        const std::uint64_t key = key_of(value);
        attribute(id, phase, name, type).number(key);
    }
    void boolean(std::uint64_t id, Phase phase, std::string_view name, bool value) {
        attribute(id, phase, name, 0).byte(value ? 0xF5 : 0xF4);
    }
    void real(std::uint64_t id, Phase phase, std::string_view name, double value) {
        attribute(id, phase, name, 4).wide_float(value);
    }
    void end(std::uint64_t id, std::uint64_t time);
    void close();

private:
    struct Open {
        std::uint64_t begin = 0, attributes = 0;
        Cbor items = {};
    };

    Cbor& attribute(std::uint64_t id, Phase phase, std::string_view name, std::uint64_t type) {
        Open& open = *open_[id];
        ++open.attributes;
        open.items.tag(static_cast<std::uint64_t>(phase));
        open.items.array(3);
        open.items.number(key_of(name));
        open.items.number(type);
        return open.items;
    }
    std::uint64_t key_of(std::string_view text);
    void flush();
    void chunk(std::uint64_t tag, const Cbor& head, const Cbor& content);

    std::unique_ptr<Output> output_;
    bool compressed_;
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> keys_;
    std::vector<std::string> new_texts_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Open>> open_;
    std::vector<std::unique_ptr<Open>> free_;
    Cbor block_;
    std::uint64_t latest_ = 0;
    Appender packed_;
    Lz4 lz4_;
};

}  // namespace hwtrace::bench
