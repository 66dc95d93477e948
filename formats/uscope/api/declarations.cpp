#include "declarations.hpp"

namespace hwtrace::uscope {

uscope_schema_t Declarations::schema() {
    if (clocks.empty()) clocks.push_back({"clk", 1000});
    for (std::size_t i = 0; i < enums.size(); ++i)
        enums[i] = {enums[i].name, values[i].data(), values[i].size()};
    for (std::size_t i = 0; i < storages.size(); ++i) {
        storages[i].fields = fields[i].data();
        storages[i].num_fields = fields[i].size();
        storages[i].properties = properties[i].data();
        storages[i].num_properties = properties[i].size();
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
        events[i].fields = event_fields[i].data();
        events[i].num_fields = event_fields[i].size();
    }
    return {clocks.data(),   clocks.size(),   scopes.data(), scopes.size(), enums.data(), enums.size(),
            storages.data(), storages.size(), events.data(), events.size(), nullptr,      0};
}

}  // namespace hwtrace::uscope
