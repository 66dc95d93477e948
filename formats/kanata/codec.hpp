// formats/kanata/codec.hpp - the parts that the descriptor is made of.
#pragma once

#include <array>
#include <memory>

#include "codec/format.hpp"

namespace hwtrace::kanata {

inline constexpr std::array options{
    Option{"kanata-container", "auto|plain|gz", "auto", "how the log is stored (auto: gz for names that end in .gz)"},
};

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// What the writer may lose of a trace.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// The view "log".
void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::kanata
