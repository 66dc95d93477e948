#include "lanes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "domain/utf8.hpp"
#include "header_json.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "schema_losses.hpp"

namespace hwtrace::pccx {

namespace {

/// Returns the core number in a scope name: 7 for "core7". Returns nullopt for other names.
std::optional<std::uint32_t> core_number(std::string_view scope) noexcept {
    if (!scope.starts_with(core_prefix)) return std::nullopt;
    const std::string_view digits = scope.substr(core_prefix.size());
    const auto number = parse_decimal<std::uint32_t>(digits);
    return number && std::to_string(*number) == digits ? number : std::nullopt;
}

/// Returns the id that flatbuf stores for an event type; nullopt if there is none.
std::optional<std::uint32_t> flat_type(std::string_view name) noexcept {
    const auto known = std::find(event_types.begin(), event_types.end(), name);
    if (known != event_types.end()) return static_cast<std::uint32_t>(known - event_types.begin());
    if (!name.starts_with(unnamed_type_prefix)) return std::nullopt;
    const std::string_view digits = name.substr(unnamed_type_prefix.size());
    const auto id = parse_decimal<std::uint32_t>(digits);
    return id && std::to_string(*id) == digits && *id >= event_types.size() ? id : std::nullopt;
}

}  // namespace

bool is_root(const Schema& schema, ScopeId id) {
    return id != none && schema.scopes()[id].name == root_scope && schema.scopes()[id].parent == none;
}

Lanes::Lanes(const Schema& schema, const Header& header, Layout layout, bool is_ours, Losses& losses)
    : schema_(schema),
      header_(header),
      losses_(losses),
      layout_(layout),
      is_ours_(is_ours),
      has_objects_(schema.metadata(conventions::named_source) != nullptr) {
    for (const Scope& scope : schema.scopes())
        if (const auto number = core_number(scope.name)) named_cores_.insert(*number);
}

/// Returns the number of cycles in the file per tick of `base`.
Ratio Lanes::cycles_in(const TimeBase& base) const {
    const std::uint64_t hertz = std::uint64_t{header_.clock()} * 1'000'000;
    if (base.kind == TimeBase::Kind::ordinal || base.den == 0 || hertz == 0) return {1, 1};
    const Ratio own = Ratio{base.num, base.den}.reduced();
    const std::uint64_t common = std::gcd(hertz, own.den);
    const std::uint64_t factor = hertz / common;
    if (own.num > std::numeric_limits<std::uint64_t>::max() / factor)
        fail(Failure::input, "a tick of this trace lasts more cycles than 64 bits can count; choose a slower clock");
    return Ratio{own.num * factor, own.den / common}.reduced();
}

Lane& Lanes::make(TrackId id) {
    if (id >= lanes_.size()) lanes_.resize(schema_.tracks().size());
    const Track& track = schema_.tracks()[id];
    Lane& lane = lanes_[id];
    lane.known = true;
    lane.core = core_of(track.scope);
    lane.cycles = cycles_in(track.time);
    lane.direct = lane.cycles == Ratio{1, 1};
    const TimeBase base{TimeBase::Kind::cycles, 1, std::uint64_t{header_.clock()} * 1'000'000};
    if (!is_ours_ && !has_objects_ && track.time != base &&
        !losses_.entries().contains({Loss::type_changed, track.name}))
        losses_.count(Loss::type_changed, track.name, [] { return std::string("its ticks become cycles"); });
    std::string type = as_utf8(track.name);
    if (type != track.name) count_name_change(losses_, track.name, "a type whose name is not UTF-8");
    if (!types_.insert({lane.core, type}).second) count_name_change(losses_, track.name, same_type);
    const std::optional<std::uint32_t> flat_id = flat_type(type);
    lane.flat_id = flat_id.value_or(0);
    lane.flat_lossy = !flat_id;
    lane.type = layout_ == Layout::json ? json_text(type) : std::move(type);
    return lane;
}

/// Returns the core number of a scope: the number in its name, else the lowest number that no scope name contains.
std::uint32_t Lanes::core_of(ScopeId id) {
    const std::string_view name = id == none ? std::string_view() : std::string_view(schema_.scopes()[id].name);
    if (const auto known = cores_.find(id); known != cores_.end()) return known->second;
    std::uint32_t core = 0;
    const std::optional<std::uint32_t> number = core_number(name);
    if (number && used_cores_.insert(*number).second) {
        core = *number;
        const ScopeId parent = schema_.scopes()[id].parent;
        if (!has_objects_ && !is_root(schema_, parent) && !(is_ours_ && parent == none))
            losses_.count(Loss::scope_flattened, name,
                          [&] { return std::string("as core ").append(std::to_string(core)); });
    } else {
        while (named_cores_.contains(next_core_))
            ++next_core_;
        core = next_core_++;
        losses_.count(Loss::scope_flattened, name,
                      [&] { return std::string("as core ").append(std::to_string(core)); });
    }
    cores_.emplace(id, core);
    return core;
}

}  // namespace hwtrace::pccx
