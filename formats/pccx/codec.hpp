// formats/pccx/codec.hpp - the functions that format.cpp puts into the descriptor; the options; the names in the model.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace::pccx {

inline constexpr std::string_view layout_option = "pccx-layout";
inline constexpr std::string_view order_option = "pccx-order";
inline constexpr std::string_view checksum_option = "pccx-checksum";
inline constexpr std::array options{
    Option{layout_option, "source|bincode|bincode4|flatbuf|json|raw", "source",
           "payload layout; source: same as a .pccx source, otherwise bincode"},
    Option{order_option, "auto|source|start", "auto",
           "order of events; auto: by start if another layout is converted to flatbuf, otherwise as in the source"},
    Option{checksum_option, "source|number|none", "source",
           "payload checksum; source: none if a .pccx source has none, otherwise a number"},
};

// --- names in the model (formats/pccx/README.md#mapping-to-the-model) ---
inline constexpr std::string_view root_scope = "npu";
inline constexpr std::string_view core_prefix = "core";  ///< core 3 has the scope "core3"
inline constexpr std::string_view api_name = "api_name";
inline constexpr std::string_view payload_track = "pccx.payload";
inline constexpr std::string_view layout_key = "pccx.payload.layout";  ///< its only value is "bincode4"
inline constexpr std::string_view events_key = "pccx.payload.events";
inline constexpr std::string_view total_cycles_key = "pccx.payload.total_cycles";

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Returns true if the writer needs events sorted by start. This is the case with `--pccx-order start`. With `auto`, it
/// is the case if another layout is converted to flatbuf.
bool needs_start_order(const Schema& schema, const Settings& settings);
/// Appends the losses that writing `schema` may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
void render_events(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_event_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::pccx
