#include "hot_code.hpp"

#include "calls.hpp"
#include "io/number_text.hpp"

namespace hwtrace::report {

void write_hot_code(JsonStream& json, const HotCode& code, std::size_t most, const Symbols* symbols) {
    json.member("instructions", code.total().count);
    json.member("loads", code.total().loads);
    json.member("stores", code.total().stores);
    json.member("taken", code.total().taken);
    json.member("pcs_counted", std::uint64_t{code.pcs()});
    json.member("pcs_omitted", code.instructions_omitted());
    json.member("blocks_counted", std::uint64_t{code.blocks()});
    json.member("blocks_omitted", code.blocks_omitted());
    json.array("pcs");
    for (const auto& [pc, what] : code.hottest(most)) {
        json.begin_array();
        json.text(hexadecimal_text(pc));
        json.text(what.encoding == 0 ? std::string() : hexadecimal_text(what.encoding));
        for (const std::uint64_t value : {what.count, what.loads, what.stores, what.taken, what.latency})
            json.number(value);
        if (symbols != nullptr) json.text(place_text(symbols, pc));
        json.end_array();
    }
    json.end_array();
    json.array("blocks");
    for (const auto& [begin, block] : code.hottest_blocks(most)) {
        json.begin_array();
        json.text(hexadecimal_text(begin));
        json.text(hexadecimal_text(block.end));
        json.number(block.runs);
        json.number(block.instructions);
        if (symbols != nullptr) json.text(place_text(symbols, begin));
        json.end_array();
    }
    json.end_array();
}

}  // namespace hwtrace::report
