#include "views/function_profile.hpp"

#include <algorithm>
#include <tuple>

namespace hwtrace {

void FunctionProfileMeter::add(const Batch& batch) {
    if (batch.lost_positions() != 0) tree_.lose();
    for (const Record& record : batch.records())
        tree_.add(record, batch);
}

FunctionProfile FunctionProfileMeter::result() {
    tree_.finish();
    FunctionProfile profile;
    profile.omitted_frames = tree_.omitted_frames();
    const auto totals = tree_.totals();
    for (std::size_t i = 0; i < totals.size(); ++i)
        if (totals[i].inclusive != 0)
            profile.functions.push_back(
                {totals[i], i + 1 == totals.size() ? Symbols::no_function : static_cast<Symbols::FunctionId>(i)});
    profile.executed = profile.functions.size();
    const auto order = [](const FunctionProfile::Function& left, const FunctionProfile::Function& right) {
        return std::tuple(right.self, right.inclusive, left.id) < std::tuple(left.self, left.inclusive, right.id);
    };
    const std::size_t listed = std::min(most_listed, profile.functions.size());
    std::partial_sort(profile.functions.begin(), profile.functions.begin() + static_cast<std::ptrdiff_t>(listed),
                      profile.functions.end(), order);
    profile.functions.resize(listed);
    return profile;
}

}  // namespace hwtrace
