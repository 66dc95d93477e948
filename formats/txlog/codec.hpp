// formats/txlog/codec.hpp - the functions and options that format.cpp puts into the descriptor.
#pragma once

#include <array>
#include <memory>

#include "codec/container.hpp"
#include "codec/format.hpp"

namespace hwtrace::txlog {

inline constexpr std::string_view container_option = "txlog-container";
inline constexpr std::array options{Option{container_option, container_values, "auto", container_help}};

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Appends the losses that a conversion of `schema` to a log may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Renders the view "log".
void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_log_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::txlog
