#include "convert/target.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "domain/conventions.hpp"

namespace hwtrace {

bool Target::keeps(std::string_view mark, const Schema& schema, const Settings& settings) const {
    if (format.writes.foresee == nullptr) return true;
    std::vector<ExpectedLoss> losses;
    format.writes.foresee(schema, settings, losses);
    return std::ranges::none_of(losses, [&](const ExpectedLoss& loss) {
        return loss.loss == Loss::metadata_dropped && (loss.subject == mark || loss.subject == "*");
    });
}

bool Target::keeps_marks(const Settings& settings) const {
    Schema marked;
    marked.describe(std::string(conventions::signal_source), {});
    return keeps(conventions::signal_source, marked, settings);
}

}  // namespace hwtrace
