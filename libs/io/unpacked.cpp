#include "io/unpacked.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/limits.hpp"
#include "io/lz4_frame.hpp"
#include "io/resumable_gzip.hpp"
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
    std::variant<std::monostate, GzipSource, Lz4FrameSource, ZstdSource, XzSource, ResumableGzip> source;
    bool plain_ended = false;
    std::uint64_t delivered = 0;  // bytes of the decompressed data
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
    const std::size_t count = read_packed(into);
    impl_->delivered += count;
    return count;
}

std::size_t Unpacked::read_packed(std::span<std::byte> into) {
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
    if (std::holds_alternative<ResumableGzip>(impl_->source)) return Packing::gzip;
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

bool Unpacked::keep_places() {
    Impl& impl = *impl_;
    if (!impl.input.seekable()) return false;
    if (packing() != Packing::gzip) return packing() == Packing::plain;
    impl.input.seek(0);
    ResumableGzip& gzip = impl.source.emplace<ResumableGzip>(impl.input);
    gzip.keep_points();
    std::array<std::byte, 4096> again{};
    for (std::uint64_t left = impl.delivered; left > 0;) {
        const std::size_t count =
            gzip.read(std::span(again).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, again.size()))));
        if (count == 0) return false;
        left -= count;
    }
    return true;
}

void Unpacked::save_place(std::uint64_t raw_offset, Appender& out) const {
    if (const auto* const gzip = std::get_if<ResumableGzip>(&impl_->source))
        ResumableGzip::append(gzip->point_before(raw_offset), out);
    else
        out.leb128(raw_offset);
}

std::optional<std::uint64_t> Unpacked::restore_place(Cursor& in) {
    Impl& impl = *impl_;
    if (!impl.input.seekable() || (packing() != Packing::plain && packing() != Packing::gzip)) return std::nullopt;
    const bool is_plain = packing() == Packing::plain;
    const ResumableGzip::Point point = is_plain ? ResumableGzip::Point{} : ResumableGzip::restore(in);
    const std::uint64_t at = is_plain ? in.leb128() : point.file_offset;
    if (at > impl.input.size().value_or(0)) return std::nullopt;
    impl.input.seek(at);
    impl.plain_ended = false;
    if (is_plain) return at;
    if (at == 0)
        impl.source.emplace<ResumableGzip>(impl.input);
    else
        impl.source.emplace<ResumableGzip>(impl.input, point);
    return point.raw_offset;
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
