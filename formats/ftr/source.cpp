#include "source.hpp"

#include <algorithm>

#include "domain/conventions.hpp"
#include "domain/interval_identity.hpp"

namespace hwtrace::ftr {

bool is_of_ftr(const Schema& schema, const Settings& settings) {
    if (settings.source_format != "ftr" && schema.metadata(conventions::ftr_epoch) == nullptr) return false;
    const auto is_stream = [](const Scope& scope) { return scope.parent == none && scope.native_id; };
    const auto has_numbers = [](const Track& track) {
        return track.kind != Track::Kind::stream || states_numbers(track);
    };
    return std::all_of(schema.scopes().begin(), schema.scopes().end(), is_stream) &&
           std::all_of(schema.tracks().begin(), schema.tracks().end(), has_numbers);
}

}  // namespace hwtrace::ftr
