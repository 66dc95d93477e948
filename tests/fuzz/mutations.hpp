// tests/fuzz/mutations.hpp - seeds with changes that one number chooses: the same on each machine, however long it
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "fuzz/seeds.hpp"

namespace hwtrace::fuzz {

class Mutations {
public:
    /// Of those of `seeds` that have up to `largest` bytes; there must be one.
    Mutations(std::vector<Seed> seeds, std::uint64_t number);

    static constexpr std::size_t largest = 8192;

    /// The next input, up to `largest` bytes of it: each seed in turn, with one to six changes. Until the next call.
    std::span<const std::byte> next();

private:
    std::size_t below(std::size_t end);  ///< a number in [0, end); end must not be 0
    std::span<const std::byte> piece_of(std::span<const std::byte> bytes, std::size_t most);  ///< of 1 to `most` bytes
    std::span<const std::byte> piece_of_a_seed(std::size_t most);
    void change();
    void change_bit();
    void change_number();
    void change_digit();
    void overwrite();
    void insert(std::span<const std::byte> piece);
    void repeat();
    void erase();

    std::vector<Seed> seeds_;
    std::mt19937_64 random_;
    std::size_t turn_ = 0;
    std::vector<std::byte> bytes_;
    std::vector<std::byte> piece_;
};

}  // namespace hwtrace::fuzz
