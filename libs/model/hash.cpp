#include "model/hash.hpp"

#include <bit>
#include <chrono>
#include <cstring>
#include <exception>
#include <random>

namespace hwtrace {

namespace {

/// The state of SipHash (Aumasson and Bernstein, 2012).
struct SipState {
    std::uint64_t v0, v1, v2, v3;

    explicit SipState(const HashKey& key) noexcept
        : v0(key.first ^ 0x736F'6D65'7073'6575),
          v1(key.second ^ 0x646F'7261'6E64'6F6D),
          v2(key.first ^ 0x6C79'6765'6E65'7261),
          v3(key.second ^ 0x7465'6462'7974'6573) {}

    void round() noexcept {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void take(std::uint64_t word) noexcept {
        v3 ^= word;
        round();
        v0 ^= word;
    }
    std::uint64_t end() noexcept {
        v2 ^= 0xFF;
        for (int i = 0; i < 3; ++i)
            round();
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

HashKey drawn_key() noexcept {
    try {
        std::random_device device;
        const auto word = [&] { return std::uint64_t{device()} << 32 | device(); };
        const std::uint64_t first = word();
        return {first, word()};
    } catch (const std::exception&) {  // no random source: use values that differ between processes
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        return {static_cast<std::uint64_t>(now),
                static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&hash_key))};
    }
}

}  // namespace

const HashKey& hash_key() {
    static const HashKey key = drawn_key();
    return key;
}

std::uint64_t keyed_hash(std::string_view text, const HashKey& key) noexcept {
    SipState state(key);
    const std::uint64_t length = text.size();
    while (text.size() >= sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), sizeof word);
        state.take(word);
        text.remove_prefix(sizeof word);
    }
    std::uint64_t last = 0;
    if (!text.empty()) std::memcpy(&last, text.data(), text.size());
    state.take(last | length << 56);
    return state.end();
}

}  // namespace hwtrace
