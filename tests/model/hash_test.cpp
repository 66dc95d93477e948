#include "model/hash.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace hash_test {

using namespace hwtrace;

TEST_CASE("keyed_hash is SipHash-1-3") {
    const HashKey key{0x0706'0504'0302'0100, 0x0F0E'0D0C'0B0A'0908};
    CHECK(keyed_hash("", key) == 0xABAC'0158'050F'C4DC);
}

TEST_CASE("keyed_hash depends on every byte, the length and the key") {
    std::set<std::uint64_t> hashes;
    const std::string text(40, 'a');
    for (std::size_t length = 0; length <= text.size(); ++length)
        hashes.insert(keyed_hash(std::string_view(text).substr(0, length), {1, 2}));
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string other = text;
        other[at] = 'b';
        hashes.insert(keyed_hash(other, {1, 2}));
    }
    hashes.insert(keyed_hash(text, {1, 3}));
    hashes.insert(keyed_hash(text, {2, 2}));
    CHECK(hashes.size() == 41 + 40 + 2);
}

TEST_CASE("the hash key stays the same within a process") {
    CHECK(&hash_key() == &hash_key());
    CHECK(KeyedHash<std::string>{}("name") == KeyedHash<std::string_view>{}("name"));
}

TEST_CASE("numbers that share a factor with the size of a hash table are spread evenly") {
    constexpr std::size_t count = 50'000;
    HashSet<std::uint64_t> numbers;
    numbers.reserve(count);
    const std::size_t places = numbers.bucket_count();
    for (std::uint64_t number = 0; number < count; ++number)
        numbers.insert(number * places);
    REQUIRE(numbers.bucket_count() == places);
    std::size_t most = 0;
    for (std::size_t place = 0; place < places; ++place)
        most = std::max(most, numbers.bucket_size(place));
    CHECK(most < 50);
}

}  // namespace hash_test
