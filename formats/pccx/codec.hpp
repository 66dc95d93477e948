// formats/pccx/codec.hpp - the parts that format.cpp puts together, and what they share.
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
           "how events are stored; source: as a .pccx source stores them, else bincode"},
    Option{order_option, "auto|source|start", "auto",
           "order of events; auto: by start in flatbuf that comes from another layout, else the source's"},
    Option{checksum_option, "source|number|none", "source",
           "the payload's checksum; source: where a .pccx source has none, none, else a number"},
};

// --- the model (README.md, The model) ---
inline constexpr std::string_view root_scope = "npu";
inline constexpr std::string_view core_prefix = "core";  ///< of the name of a core's scope, before its number
inline constexpr std::string_view api_name = "api_name";
inline constexpr std::string_view payload_track = "pccx.payload";
inline constexpr std::string_view layout_key = "pccx.payload.layout";  ///< "bincode4", where it is that
inline constexpr std::string_view events_key = "pccx.payload.events";
inline constexpr std::string_view total_cycles_key = "pccx.payload.total_cycles";

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Whether the writer wants events in order of their start (flatbuf, where nothing else is asked for).
bool needs_start_order(const Schema& schema, const Settings& settings);
/// What the writer may have to leave out.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
void render_events(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_event_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::pccx
