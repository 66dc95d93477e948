#include "domain/hart_state.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

namespace hart_state_test {

using namespace hwtrace;
namespace names = conventions;

namespace {

Schema schema_with_traps() {
    Field event, mode;
    event.name = "event";
    mode.name = "mode";
    Schema schema;
    schema.declare(make_track(Track::Kind::event_type, none, names::trap, ordinals, {event, mode}));
    return schema;
}

/// Returns the state of a hart whose last trap has these cells.
std::vector<std::byte> state_of(const std::vector<std::uint64_t>& trap) {
    Appender out;
    for (std::size_t i = 0; i < names::in_force.size(); ++i)
        out.leb128(0);
    out.leb128(trap.size());
    for (const std::uint64_t cell : trap)
        out.le(cell);
    out.leb128(3);  // the mode
    for (int i = 0; i < 4; ++i)
        out.leb128(0);  // registers, walks, walks of the group, the next walk
    return {out.span().begin(), out.span().end()};
}

}  // namespace

TEST_CASE("a saved state of a hart is refused if its events do not fit the trace") {
    const auto restore = [](const Schema& trace, const std::vector<std::byte>& bytes) {
        HartState state(trace, Limits());
        Cursor in(bytes);
        state.restore(in);
        CHECK(in.at_end());
    };
    const Schema schema = schema_with_traps();
    CHECK_NOTHROW(restore(schema, state_of({})));
    CHECK_NOTHROW(restore(schema, state_of({1, 3})));
    CHECK_THROWS_AS(restore(schema, state_of({1})), Error);
    CHECK_THROWS_AS(restore(schema, state_of({1, 2, 3})), Error);
    const Schema without_traps;
    CHECK_NOTHROW(restore(without_traps, state_of({})));
    CHECK_THROWS_AS(restore(without_traps, state_of({1, 3})), Error);
}

}  // namespace hart_state_test
