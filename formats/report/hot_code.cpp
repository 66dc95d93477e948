#include "hot_code.hpp"

#include <algorithm>

#include "io/number_text.hpp"

namespace hwtrace::report {
namespace {

/// Returns the entries with the greatest weight, the lower key first if weights are equal.
template <typename Value, typename Weight>
std::vector<std::pair<std::uint64_t, Value>> greatest(const HashMap<std::uint64_t, Value>& map, std::size_t most,
                                                      Weight&& weight) {
    std::vector<std::pair<std::uint64_t, Value>> all(map.begin(), map.end());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(), [&](const auto& left, const auto& right) {
        return weight(left.second) != weight(right.second) ? weight(left.second) > weight(right.second)
                                                           : left.first < right.first;
    });
    all.erase(end, all.end());
    return all;
}

}  // namespace

void HotCode::write(JsonStream& json, std::size_t most) const {
    json.member("instructions", total_.count);
    json.member("loads", total_.loads);
    json.member("stores", total_.stores);
    json.member("taken", total_.taken);
    json.member("pcs_counted", instructions_.size());
    json.member("pcs_omitted", instructions_omitted_);
    json.member("blocks_counted", blocks_.size());
    json.member("blocks_omitted", blocks_omitted_);
    json.array("pcs");
    for (const auto& [pc, what] : greatest(instructions_, most, [](const Instruction& i) { return i.count; })) {
        json.begin_array();
        json.text(hexadecimal_text(pc));
        json.text(what.encoding == 0 ? std::string() : hexadecimal_text(what.encoding));
        for (const std::uint64_t value : {what.count, what.loads, what.stores, what.taken, what.latency})
            json.number(value);
        json.end_array();
    }
    json.end_array();
    json.array("blocks");
    for (const auto& [begin, block] : greatest(blocks_, most, [](const Block& b) { return b.instructions; })) {
        json.begin_array();
        json.text(hexadecimal_text(begin));
        json.text(hexadecimal_text(block.end));
        json.number(block.runs);
        json.number(block.instructions);
        json.end_array();
    }
    json.end_array();
}

}  // namespace hwtrace::report
