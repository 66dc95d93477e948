#include "support/sample.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace hwtrace::test {

namespace {

constexpr std::size_t one_place_in = 5;  // in a sample run

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace

Share share() {
    const char* const wanted = std::getenv("HWTRACE_SAMPLE");
    if (wanted == nullptr || *wanted == '\0') return {};
    const std::string_view text = wanted;
    const std::size_t slash = text.find('/');
    const auto shares = number_of(slash == text.npos ? text : text.substr(slash + 1));
    const auto number = slash == text.npos ? std::optional<std::uint64_t>(0) : number_of(text.substr(0, slash));
    if (!shares || !number || *number >= *shares)
        throw std::runtime_error("HWTRACE_SAMPLE is neither N nor K/N with K below N");
    return {*number, *shares};
}

bool is_full_run() {
    return share().shares == 1;
}

std::uint64_t share_of(std::uint64_t count) {
    return std::max<std::uint64_t>(1, count / share().shares);
}

std::size_t trials_of(std::size_t count) {
    return is_full_run() ? count : std::max<std::size_t>(1, count / one_place_in);
}

std::vector<std::size_t> sample_places(std::size_t size) {
    const std::size_t step = is_full_run() ? 1 : one_place_in;
    std::vector<std::size_t> places;
    for (std::size_t at = share().number % step; at < size; at += step)
        places.push_back(at);
    return places;
}

std::uint64_t at_least(std::uint64_t count) {
    return is_full_run() ? count : 0;
}

}  // namespace hwtrace::test
