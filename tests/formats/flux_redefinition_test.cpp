// Tests how the flux writer stores items that the source defined several times.
#include <doctest/doctest.h>

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

}  // namespace flux_redefinition_test
