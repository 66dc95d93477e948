#include "select/slice_entry.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "codec/resumable.hpp"
#include "io/error.hpp"

namespace slice_entry_test {

using namespace hwtrace;

namespace {

/// A reader that takes a byte of each state, and finds the byte 'x' wrong.
class ByteReader final : public Reader, public Resumable {
public:
    Schema& schema() override { return schema_; }
    bool read(Batch&) override { return false; }
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return 0; }
    bool keep_states() override { return true; }
    bool save_state(Appender&) override { return false; }
    bool restore_state(Cursor& in) override {
        if (in.le<char>() == 'x') fail(Failure::input, "the bytes are wrong");
        return true;
    }

private:
    Schema schema_;
};

/// Resumes at the only checkpoint of an index, whose state is `state`. Returns the message of the error, if any.
std::string message_of(std::string_view state) {
    const std::array<std::byte, 4> trace{};
    const Input input = Input::memory("trace", trace);
    std::vector<std::byte> made;
    const auto output = open_memory_output("index", [&](std::vector<std::byte> bytes) { made = std::move(bytes); });
    TraceIndexWriter writer(*output);
    writer.add({}, as_bytes(state), {});
    writer.finish({trace.size(), samples_of(input), 0}, "stf", {});
    output->commit();
    TraceIndex::Fault fault{};
    const auto index = TraceIndex::open(std::move(made), input, "stf", fault);
    REQUIRE(index);
    ByteReader reader;
    try {
        const bool has_resumed = resume_at(*index, index->checkpoints().front(), reader);
        CHECK(has_resumed);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a state that does not fit the trace is an error that names the index, whatever is wrong") {
    CHECK(message_of("a").empty());
    for (const std::string_view state : {"", "ab", "x"}) {
        CAPTURE(state);
        CHECK(message_of(state) == "index of trace: does not fit the trace; make it again with hwtrace-index --force");
    }
}

}  // namespace slice_entry_test
