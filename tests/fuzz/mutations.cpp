#include "fuzz/mutations.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hwtrace::fuzz {

Mutations::Mutations(std::vector<Seed> seeds, std::uint64_t number) : seeds_(std::move(seeds)), random_(number) {
    std::erase_if(seeds_, [](const Seed& seed) { return seed.bytes.size() > largest || seed.bytes.empty(); });
    if (seeds_.empty()) throw std::invalid_argument("no seed is small enough");
}

std::span<const std::byte> Mutations::next() {
    bytes_ = seeds_[turn_++ % seeds_.size()].bytes;
    for (std::size_t changes = 1 + below(6); changes > 0; --changes)
        change();
    bytes_.resize(std::min(bytes_.size(), largest));
    return bytes_;
}

// The standard library's distributions may differ between machines.
std::size_t Mutations::below(std::size_t end) {
    return static_cast<std::size_t>(random_() % end);
}

std::span<const std::byte> Mutations::piece_of(std::span<const std::byte> bytes, std::size_t most) {
    const std::size_t begin = below(bytes.size());
    return bytes.subspan(begin, std::min(1 + below(most), bytes.size() - begin));
}

std::span<const std::byte> Mutations::piece_of_a_seed(std::size_t most) {
    const Seed& seed = seeds_[below(seeds_.size())];
    return piece_of(seed.bytes, most);
}

void Mutations::change() {
    if (bytes_.empty()) return insert(piece_of_a_seed(64));
    switch (below(8)) {
        case 0:
            return change_bit();
        case 1:
        case 2:
            return change_number();
        case 3:
            return change_digit();
        case 4:
            return overwrite();
        case 5:
            return insert(piece_of_a_seed(64));
        case 6:
            return repeat();
        default:
            return erase();
    }
}

void Mutations::change_bit() {
    bytes_[below(bytes_.size())] ^= static_cast<std::byte>(1u << below(8));
}

/// Changes an integer of 1, 2, 4 or 8 bytes (little-endian) by a little or to a boundary value.
void Mutations::change_number() {
    const std::size_t at = below(bytes_.size());
    const std::size_t width = std::min(std::size_t{1} << below(4), bytes_.size() - at);
    std::uint64_t number = 0;
    for (std::size_t i = width; i > 0; --i)
        number = number << 8 | std::to_integer<std::uint64_t>(bytes_[at + i - 1]);
    if (below(2) == 0) {
        number += below(33) - std::uint64_t{16};
    } else {
        const std::uint64_t border = std::uint64_t{1} << below(64);
        number = border - below(2);
    }
    for (std::size_t i = 0; i < width; ++i, number >>= 8)
        bytes_[at + i] = static_cast<std::byte>(number & 0xFF);
}

/// Changes the first decimal digit after a random position.
void Mutations::change_digit() {
    const auto is_digit = [](std::byte byte) { return byte >= std::byte{'0'} && byte <= std::byte{'9'}; };
    const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(below(bytes_.size()));
    const auto digit = std::find_if(from, bytes_.end(), is_digit);
    if (digit != bytes_.end()) *digit = static_cast<std::byte>('0' + below(10));
}

void Mutations::overwrite() {
    const std::span<const std::byte> piece = piece_of_a_seed(16);
    const std::size_t at = below(bytes_.size());
    std::copy_n(piece.begin(), std::min(piece.size(), bytes_.size() - at),
                bytes_.begin() + static_cast<std::ptrdiff_t>(at));
}

void Mutations::insert(std::span<const std::byte> piece) {
    const auto at = static_cast<std::ptrdiff_t>(below(bytes_.size() + 1));
    bytes_.insert(bytes_.begin() + at, piece.begin(), piece.end());
}

/// Copies a random block to another position. The block may be a record, an entry or a line.
void Mutations::repeat() {
    const std::span<const std::byte> piece = piece_of(bytes_, 256);
    piece_.assign(piece.begin(), piece.end());
    insert(piece_);
}

void Mutations::erase() {
    const std::span<const std::byte> piece = piece_of(bytes_, 64);
    const auto begin = bytes_.begin() + (piece.data() - bytes_.data());
    bytes_.erase(begin, begin + static_cast<std::ptrdiff_t>(piece.size()));
}

}  // namespace hwtrace::fuzz
