// Tests how the flux writer stores items that the source defined several times.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "formats/flux_support.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace flux_redefinition_test {

using namespace hwtrace;
using namespace hwtrace::test;

TEST_CASE("flux: if an item is redefined with another type, values of the first type get an item of their own") {
    const FluxReading source(load_sample(source_file("testdata/flux/invalid/item_redefined.hex")).bytes);
    CHECK(source.rules == std::vector<std::string>{"FLX012@35"});
    CHECK(source.records == std::vector<std::string>{"0/1 @10: value i64=1", "0/1 @11: value f32=1065353216"});

    Losses losses;
    const FluxReading rewritten(flux_rewritten(source.bytes, losses));
    CHECK(rewritten.rules == std::vector<std::string>{});
    CHECK(rewritten.records == std::vector<std::string>{"0/2 @10: value i64=1", "0/1 @11: value f32=1065353216"});
    CHECK(rewritten.metadata("flux.0.1.type") == "float");
    CHECK(rewritten.metadata("flux.0.2.type") == "integer");
    CHECK(losses.entries().contains({Loss::name_changed, "i"}));
}

TEST_CASE("flux: a signal of an unknown type keeps the number of its type, alone and followed by its first entries") {
    std::vector<std::byte> bytes = load_sample(source_file("testdata/flux/invalid/type_unknown.hex")).bytes;
    const FluxReading source(bytes);
    CHECK(source.metadata("flux.0.1.type") == "unknown 13");
    Losses losses;
    const auto rewritten = flux_rewritten(bytes, losses);
    CHECK(FluxReading(rewritten).metadata("flux.0.1.type") == "unknown 13");
    CHECK(flux_rewritten(rewritten, losses) == rewritten);

    constexpr std::size_t first_entries = 38;
    bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + first_entries);
    const FluxReading repeated(bytes);
    const FluxReading again(flux_rewritten(bytes, losses));
    CHECK(again.records == repeated.records);
    CHECK(again.metadata("flux.0.1.type") == "unknown 13");
    CHECK(losses.entries().empty());
}

}  // namespace flux_redefinition_test
