#include "io/unpacked.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "io/compression.hpp"
#include "io/limits.hpp"
#include "io/lz4_frame.hpp"
#include "io/xz.hpp"

namespace hwtrace {

std::string_view name_of(Packing packing) noexcept {
    switch (packing) {
        case Packing::plain:
            return "plain";
        case Packing::gzip:
            return "gzip";
        case Packing::lz4:
            return "lz4";
        case Packing::zstd:
            return "zstd";
        case Packing::xz:
            return "xz";
    }
    return "?";
}

Packing packing_of(std::span<const std::byte> head) noexcept {
    constexpr std::array gzip_magic{std::byte{0x1F}, std::byte{0x8B}};
    if (head.size() >= gzip_magic.size() && std::equal(gzip_magic.begin(), gzip_magic.end(), head.begin()))
        return Packing::gzip;
    if (begins_lz4_frame(head)) return Packing::lz4;
    if (begins_zstd(head)) return Packing::zstd;
    if (begins_xz(head)) return Packing::xz;
    return Packing::plain;
}

struct Unpacked::Impl {
    Input& input;
    std::variant<std::monostate, GzipSource, Lz4FrameSource, ZstdSource, XzSource> source;
    bool plain_ended = false;
    std::uint64_t most_memory;

    Impl(Input& from, const Limits& limits) : input(from), most_memory(limits.zstd_window) {
        switch (packing_of(input.head())) {
            case Packing::plain:
                break;
            case Packing::gzip:
                source.emplace<GzipSource>(input);
                break;
            case Packing::lz4:
                source.emplace<Lz4FrameSource>(input);
                break;
            case Packing::zstd:
                source.emplace<ZstdSource>(input, 0, 0, limits);
                break;
            case Packing::xz:
                source.emplace<XzSource>(input, limits);
                break;
        }
    }
};

namespace {

template <typename S>
Unpacked::State common(S state) noexcept {
    switch (state) {
        case S::reading:
            return Unpacked::State::reading;
        case S::ended:
            return Unpacked::State::ended;
        case S::truncated:
            return Unpacked::State::truncated;
        case S::damaged:
            break;
    }
    return Unpacked::State::damaged;
}

}  // namespace

Unpacked::Unpacked(Input& input, const Limits& limits) : impl_(std::make_unique<Impl>(input, limits)) {}
Unpacked::~Unpacked() = default;

std::size_t Unpacked::read(std::span<std::byte> into) {
    return std::visit(
        [&](auto& source) -> std::size_t {
            if constexpr (std::is_same_v<std::decay_t<decltype(source)>, std::monostate>) {
                const std::size_t count = impl_->input.read(into);
                if (count == 0 && !into.empty()) impl_->plain_ended = true;
                return count;
            } else {
                return source.read(into);
            }
        },
        impl_->source);
}

Packing Unpacked::packing() const noexcept {
    return static_cast<Packing>(impl_->source.index());
}

Unpacked::State Unpacked::state() const noexcept {
    return std::visit(
        [&](const auto& source) {
            if constexpr (std::is_same_v<std::decay_t<decltype(source)>, std::monostate>)
                return impl_->plain_ended ? State::ended : State::reading;
            else
                return common(source.state());
        },
        impl_->source);
}

void Unpacked::check_memory() const {
    std::visit(
        [&](const auto& source) {
            if constexpr (requires { source.limit_refused(); }) {
                if (!source.limit_refused()) return;
                const std::string what = std::string("the memory that ").append(name_of(packing()));
                refuse(source.demanded(), impl_->most_memory, what + " needs", "--max-window");
            }
        },
        impl_->source);
}

std::uint64_t Unpacked::file_offset() const noexcept {
    return std::visit(
        [&](const auto& source) {
            if constexpr (std::is_same_v<std::decay_t<decltype(source)>, std::monostate>)
                return impl_->input.position();
            else
                return source.file_offset();
        },
        impl_->source);
}

std::size_t unpack_head(std::span<const std::byte> head, std::span<std::byte> into) {
    // An LZ4 block may be longer than the head, so decode only the beginning of the block.
    if (packing_of(head) == Packing::lz4) return decompress_lz4_head(head, into);
    Input memory = Input::memory("head", head);
    Unpacked bytes(memory, Limits{});
    std::size_t have = 0;
    while (have < into.size()) {
        const std::size_t got = bytes.read(into.subspan(have));
        if (got == 0) break;
        have += got;
    }
    return have;
}

}  // namespace hwtrace
