#include <doctest/doctest.h>

#include "domain/transaction_types.hpp"

namespace transaction_types_test {

using namespace hwtrace;

TEST_CASE("types of transaction recordings are found by number and by name") {
    REQUIRE(transaction_types().size() == 12);
    for (std::size_t number = 0; number < transaction_types().size(); ++number) {
        const TransactionType& type = transaction_types()[number];
        CHECK(type.number == number);
        CHECK(find_transaction_type(number) == &type);
        CHECK(find_transaction_type(type.name) == &type);
        CHECK(&transaction_type_of(type.type) == &type);
    }
    CHECK(find_transaction_type(12) == nullptr);
    CHECK(find_transaction_type(~std::uint64_t{0}) == nullptr);
    CHECK(find_transaction_type("NONE") == nullptr);
    CHECK(find_transaction_type("unsigned") == nullptr);
}

TEST_CASE("types that recordings lack are mapped to the nearest type that they have") {
    CHECK(transaction_type_of(Type::u8).name == "UNSIGNED");
    CHECK(transaction_type_of(Type::i32).name == "INTEGER");
    CHECK(transaction_type_of(Type::f32).name == "FLOATING_POINT_NUMBER");
    CHECK(transaction_type_of(Type::enumeration).name == "ENUMERATION");
}

}  // namespace transaction_types_test
