#include "io/sha256.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "io/cursor.hpp"

namespace sha256_test {

using namespace hwtrace;

namespace {

std::string sum_of(std::string_view text) {
    Sha256 sum;
    sum.add(as_bytes(text));
    return sum.hexadecimal();
}

}  // namespace

TEST_CASE("SHA-256 gives the values of FIPS 180") {
    CHECK(sum_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sum_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sum_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the bytes are divided") {
    for (std::size_t size = 0; size <= 200; ++size) {
        std::string text;
        for (std::size_t i = 0; i < size; ++i)
            text.push_back(static_cast<char>(i * 7));
        for (const std::size_t step : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}}) {
            Sha256 sum;
            for (std::size_t at = 0; at < size; at += step)
                sum.add(as_bytes(std::string_view(text).substr(at, step)));
            CAPTURE(size);
            CHECK(sum.hexadecimal() == sum_of(text));
        }
    }
}

}  // namespace sha256_test
