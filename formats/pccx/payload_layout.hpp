// formats/pccx/payload_layout.hpp - the choice of the payload's layout from the options and the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/settings.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// Returns the layout of a .pccx source; bincode for other sources.
Layout source_layout(const Schema& schema);
/// Returns the layout that option --pccx-layout selects.
Layout chosen_layout(const Schema& schema, const Settings& settings);
/// Returns the header's name of the layout.
std::string_view encoding_of(Layout layout) noexcept;
/// Returns the number that metadata `key` holds; nullopt if there is none.
std::optional<std::uint64_t> number_of(const Schema& schema, std::string_view key);

}  // namespace hwtrace::pccx
