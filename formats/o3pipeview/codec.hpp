// formats/o3pipeview/codec.hpp - the options, reader, writer and views that format.cpp registers.
#pragma once

#include <array>
#include <memory>

#include "codec/chosen_rows.hpp"
#include "codec/container.hpp"
#include "codec/format.hpp"
#include "codec/instruction_labels.hpp"

namespace hwtrace::o3pipeview {

inline constexpr std::string_view container_option = "o3pipeview-container";
inline constexpr std::string_view cycle_option = "o3pipeview-ticks-per-cycle";
inline constexpr std::string_view rate_option = "o3pipeview-ticks-per-second";
inline constexpr std::string_view labels_option = "o3pipeview-labels";
inline constexpr std::array options{
    Option{container_option, container_values, "auto", container_help},
    Option{cycle_option, "count", "1000", "ticks of a cycle, for a trace that states cycles of unknown length"},
    Option{rate_option, "count", "1000000000000", "ticks of a second", {}, true},
    Option{labels_option, InstructionLabels::option_values, "encoding", InstructionLabels::option_help},
};

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
/// Opens the same reader. A row is an instruction, numbered by Instruction::line.
std::unique_ptr<RowReader> open_rows(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Lists the losses that the writer may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Render the view "instructions" as text and as data.
void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings);
/// Renders the view "lines".
void render_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::o3pipeview
