// formats/kanata/codec.hpp - the options, reader, writer and view that format.cpp registers.
#pragma once

#include <array>
#include <memory>

#include "codec/chosen_rows.hpp"
#include "codec/container.hpp"
#include "codec/format.hpp"
#include "codec/instruction_labels.hpp"

namespace hwtrace::kanata {

inline constexpr std::string_view container_option = "kanata-container";
inline constexpr std::string_view labels_option = "kanata-labels";
inline constexpr std::array options{
    Option{container_option, container_values, "auto", container_help},
    Option{labels_option, InstructionLabels::option_values, "encoding", InstructionLabels::option_help},
};

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
/// Opens the same reader. Its rows are those of LogRows.
std::unique_ptr<RowReader> open_rows(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Lists the losses that the writer may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Renders the view "log".
void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::kanata
