// tests/fuzz/mutations.hpp - reproducible mutations of seeds: a number gives the same mutations on every machine.
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
    /// Uses the seeds of at most `largest` bytes; at least one must exist. `number` determines the mutations.
    Mutations(std::vector<Seed> seeds, std::uint64_t number);

    static constexpr std::size_t largest = 8192;

    /// Returns the next input of at most `largest` bytes: the next seed with one to six changes. It is valid until the
    /// next call.
    std::span<const std::byte> next();

private:
    std::size_t below(std::size_t end);  ///< returns a random number in [0, end); end must not be 0
    std::span<const std::byte> piece_of(std::span<const std::byte> bytes, std::size_t most);  ///< 1 to `most` bytes
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
