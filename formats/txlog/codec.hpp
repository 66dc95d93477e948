// formats/txlog/codec.hpp - the parts that the descriptor is made of.
#pragma once

#include <array>
#include <memory>

#include "codec/format.hpp"

namespace hwtrace::txlog {

inline constexpr std::array options{
    Option{"txlog-container", "auto|plain|gz|lz4|zst|xz", "auto",
           "how the log is stored (auto: gz for names that end in .gz, zst for .zst, xz for .xz, lz4 for .lz4 "
           "and .lz)"},
};

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// What the writer may lose of a trace.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// The view "log".
void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_log_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::txlog
