// formats/stf/codec.hpp - the options, readers, writers and views that format.cpp registers.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "codec/format.hpp"
#include "container_writer.hpp"

namespace hwtrace::stf {

inline constexpr std::array options{
    Option{"stf-container", "auto|plain|zstf|gz|zst|xz", "auto",
           "container of the stream; auto: by the output's extension (.zstf, .gz, .zst, .xz), else plain"},
    Option{"stf-chunk", "count", "100000",
           "instructions, or transactions, per ZSTF chunk; refused for other containers"},
    Option{"stf-level", "count", "3",
           "zstd compression level of ZSTF chunks and of zst, 1 to 19; refused for other containers"},
    Option{"stf-physical", "on|off", "off",
           "hwtrace-dump --view instructions: show physical addresses beside virtual ones", "instructions"},
};

/// The subject under which losses are counted if the instruction of a record is missing.
inline constexpr Subject lost_instructions = Subject::general("records of lost instructions");

/// Returns the container that the options and the output's name select. Throws Failure::usage if an option is out of
/// range or does not apply to the container.
Wrapping wrapping_of(const Settings& settings);
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Creates the same writer with an explicit container.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses,
                                      const Wrapping& wrapping);
/// Renders the view "records": one line per record, as the reference record dump prints it
/// (formats/stf/README.md#record-view).
void render_records(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
/// Renders the view "instructions": the output of the reference instruction dump, plus the records that the dump hides
/// (formats/stf/README.md#instruction-view).
void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
/// Renders the view "instructions" as data (formats/stf/README.md#instruction-data).
void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings);

}  // namespace hwtrace::stf
