// hwtrace/listeners.hpp - functions that are called during long work.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace hwtrace {

/// Receives remarks for the user, such as "is ftr by its content, stf by its name; the content decides". Null: remarks
/// are discarded.
using NoteListener = std::function<void(std::string_view)>;

/// Receives the number of input bytes read so far, about once per batch, and the size of the input (nullopt for a
/// pipe). Null: progress is not reported.
using ByteListener = std::function<void(std::uint64_t bytes, std::optional<std::uint64_t> size)>;

}  // namespace hwtrace
