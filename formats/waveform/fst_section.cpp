#include "fst_section.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "fst_wire.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::size_t worth_compressing = 32;

/// Appends `value` as a signed LEB128 number.
void append_signed(std::int64_t value, Appender& out) {
    while (value > 63 || value < -64) {
        out.le(static_cast<std::uint8_t>((static_cast<std::uint64_t>(value) & 0x7Fu) | 0x80u));
        value >>= 7;
    }
    out.le(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) & 0x7Fu));
}

}  // namespace

FstSection::FstSection(std::vector<Shape> shapes)
    : shapes_(std::move(shapes)),
      first_(shapes_.size(), no_change),
      last_(shapes_.size(), no_change),
      most_changes_(std::clamp(changes_of_a_handle * shapes_.size(), fewest_changes, many_changes)) {
    const auto nan = std::bit_cast<std::array<std::byte, 8>>(std::numeric_limits<double>::quiet_NaN());
    for (const Shape& shape : shapes_) {
        frame_at_.push_back(frame_.size());
        if (shape.is_real)
            frame_.insert(frame_.end(), nan.begin(), nan.end());
        else
            frame_.insert(frame_.end(), shape.size, std::byte{'x'});
    }
}

void FstSection::move_to(Tick time) {
    times_.push_back(time);
}

void FstSection::append(std::uint32_t handle, std::uint32_t at, std::uint32_t size_and_form) {
    const auto number = static_cast<std::uint32_t>(changes_.size());
    changes_.push_back({static_cast<std::uint32_t>(times_.size() - 1), no_change, at, size_and_form});
    std::uint32_t& last = last_[handle];
    (last == no_change ? first_[handle] : changes_[last].next) = number;
    last = number;
}

void FstSection::put_state(std::uint32_t handle, char state) {
    append(handle, static_cast<unsigned char>(state), 0);
}

void FstSection::put_number(std::uint32_t handle, std::uint64_t number) {
    const std::uint32_t size = shapes_[handle].size;
    if (size == 1) return put_state(handle, (number & 1u) != 0 ? '1' : '0');
    const std::uint32_t bytes = (size + 7) / 8;
    const auto at = static_cast<std::uint32_t>(data_.size());
    std::byte* const place = data_.grow(bytes);
    std::memset(place, 0, bytes);
    constexpr std::uint32_t widest = 64;
    if (size <= widest) {
        const std::uint64_t aligned = __builtin_bswap64(number << (widest - size));
        std::memcpy(place, &aligned, bytes);
    } else {
        for (std::uint32_t bit = 0; bit < widest; ++bit) {
            const std::uint32_t state = size - 1 - bit;
            if ((number >> bit & 1u) != 0) place[state / 8] |= std::byte{0x80} >> (state % 8);
        }
    }
    append(handle, at, bytes | is_packed);
}

void FstSection::put_states(std::uint32_t handle, std::string_view states) {
    if (states.size() == 1) return put_state(handle, states.front());
    const auto at = static_cast<std::uint32_t>(data_.size());
    if (states.find_first_not_of("01") == std::string_view::npos) {
        const auto bytes = static_cast<std::uint32_t>((states.size() + 7) / 8);
        std::byte* const place = data_.grow(bytes);
        std::memset(place, 0, bytes);
        for (std::size_t state = 0; state < states.size(); ++state)
            if (states[state] == '1') place[state / 8] |= std::byte{0x80} >> (state % 8);
        return append(handle, at, bytes | is_packed);
    }
    data_.text(states);
    append(handle, at, static_cast<std::uint32_t>(states.size()));
}

void FstSection::put_real(std::uint32_t handle, std::uint64_t bits) {
    const auto at = static_cast<std::uint32_t>(data_.size());
    data_.le(bits);
    append(handle, at, sizeof bits);
}

void FstSection::put_text(std::uint32_t handle, std::string_view text) {
    const auto at = static_cast<std::uint32_t>(data_.size());
    data_.text(text);
    append(handle, at, static_cast<std::uint32_t>(text.size()));
}

void FstSection::build_chain(std::uint32_t handle) {
    const Shape& shape = shapes_[handle];
    std::uint32_t before = 0;
    chain_.clear();
    for (std::uint32_t number = first_[handle]; number != no_change; number = changes_[number].next) {
        const Change& change = changes_[number];
        const std::uint64_t passed = change.time - std::exchange(before, change.time);
        const std::uint32_t size = change.size_and_form & ~is_packed;
        if (shape.size == 1) {
            const char state = static_cast<char>(change.at);
            if (state == '0' || state == '1') {
                chain_.leb128(passed << 2 | (state == '1' ? 2u : 0u));
            } else {
                const std::size_t other = std::min<std::size_t>(fst::other_states.find(state), 6);
                chain_.leb128(passed << 4 | other << 1 | 1u);
            }
            continue;
        }
        if (shape.size == 0) {
            chain_.leb128(passed << 1);
            chain_.leb128(size);
        } else {
            chain_.leb128(passed << 1 | ((change.size_and_form & is_packed) != 0 ? 0u : 1u));
        }
        chain_.bytes(data_.span().subspan(change.at, size));
    }
}

void FstSection::update_frame(std::uint32_t handle) {
    const Shape& shape = shapes_[handle];
    if (shape.size == 0) return;
    const Change& change = changes_[last_[handle]];
    std::byte* const place = frame_.data() + frame_at_[handle];
    if (shape.size == 1) {
        *place = static_cast<std::byte>(change.at);
    } else if ((change.size_and_form & is_packed) == 0) {
        std::memcpy(place, data_.data() + change.at, shape.size);
    } else {
        for (std::uint32_t state = 0; state < shape.size; ++state) {
            const bool is_one = (data_.data()[change.at + state / 8] & std::byte{0x80} >> (state % 8)) != std::byte{0};
            place[state] = is_one ? std::byte{'1'} : std::byte{'0'};
        }
    }
}

void FstSection::append_frame() {
    packed_.clear();
    deflate_whole(frame_, Deflate::zlib, packed_);
    const bool is_packed_shorter = packed_.size() < frame_.size();
    block_.leb128(frame_.size());
    block_.leb128(is_packed_shorter ? packed_.size() : frame_.size());
    block_.leb128(shapes_.size());
    block_.bytes(is_packed_shorter ? packed_.span() : std::span<const std::byte>(frame_));
}

void FstSection::append_chains() {
    block_.leb128(shapes_.size());
    const std::size_t start = block_.size();
    block_.le(static_cast<std::uint8_t>('4'));
    index_.clear();
    std::uint64_t absent = 0, at_before = 0, memory = 0;
    for (std::uint32_t handle = 0; handle < shapes_.size(); ++handle) {
        if (first_[handle] == no_change) {
            ++absent;
            continue;
        }
        if (absent != 0) index_.leb128(std::exchange(absent, 0) << 1);
        const std::uint64_t at = block_.size() - start;
        append_signed(static_cast<std::int64_t>((at - at_before) << 1 | 1u), index_);
        at_before = at;
        build_chain(handle);
        memory += chain_.size();
        packed_.clear();
        if (chain_.size() > worth_compressing) lz4_.compress(chain_.span(), packed_);
        const bool is_packed_shorter = !packed_.empty() && packed_.size() < chain_.size();
        block_.leb128(is_packed_shorter ? chain_.size() : 0);
        block_.bytes(is_packed_shorter ? packed_.span() : chain_.span());
        update_frame(handle);
        first_[handle] = last_[handle] = no_change;
    }
    if (absent != 0) index_.leb128(absent << 1);
    block_.bytes(index_.span());
    fst::append_be(block_, index_.size());
    constexpr std::size_t at_memory = 1 + 8 + 8 + 8;
    block_.patch(at_memory, __builtin_bswap64(memory));
}

void FstSection::append_times() {
    chain_.clear();
    Tick before = 0;
    for (const Tick time : times_)
        chain_.leb128(static_cast<std::uint64_t>(time - std::exchange(before, time)));
    packed_.clear();
    deflate_whole(chain_.span(), Deflate::zlib, packed_);
    const bool is_packed_shorter = packed_.size() < chain_.size();
    block_.bytes(is_packed_shorter ? packed_.span() : chain_.span());
    fst::append_be(block_, chain_.size());
    fst::append_be(block_, is_packed_shorter ? packed_.size() : chain_.size());
    fst::append_be(block_, times_.size());
}

void FstSection::write(Output& output) {
    block_.clear();
    block_.le(static_cast<std::uint8_t>(fst::Block::changes_alias_2));
    fst::append_be(block_, 0);  // the size, which is known at the end
    fst::append_be(block_, static_cast<std::uint64_t>(times_.front()));
    fst::append_be(block_, static_cast<std::uint64_t>(times_.back()));
    fst::append_be(block_, 0);  // the memory, likewise
    append_frame();
    append_chains();
    append_times();
    block_.patch(1, __builtin_bswap64(static_cast<std::uint64_t>(block_.size() - 1)));
    output.append(block_.span());
    times_.erase(times_.begin(), times_.end() - 1);
    changes_.clear();
    data_.clear();
}

}  // namespace hwtrace::waveform
