// formats/stf/codec.hpp - what the folder's files offer to format.cpp.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "codec/format.hpp"
#include "container_writer.hpp"

namespace hwtrace::stf {

inline constexpr std::array options{
    Option{"stf-container", "auto|plain|zstf|gz|zst|xz", "auto",
           "what the stream is wrapped in; auto: by the output's extension (.zstf, .gz, .zst, .xz), else "
           "plain"},
    Option{"stf-chunk", "count", "100000",
           "instructions, or transactions, of a ZSTF chunk; refused for other containers"},
    Option{"stf-level", "count", "3",
           "zstd compression level of ZSTF chunks and of zst, 1 to 19; refused for other containers"},
    Option{"stf-physical", "on|off", "off", "hwtrace-dump --view instructions: physical addresses beside the others",
           "instructions"},
};

/// The subject of losses of the writer: records at a time that no instruction has.
inline constexpr Subject lost_instructions = Subject::general("records of lost instructions");

/// What the options, and the output's name, say about the container. Throws Failure::usage.
Wrapping wrapping_of(const Settings& settings);
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// The same in a container that does not follow from the settings.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses,
                                      const Wrapping& wrapping);
/// The view "records": one line a record, as the reference record dump prints it (README.md, "Text").
void render_records(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
/// The view "instructions": what the reference instruction dump prints, and what it leaves out (README.md, "Text").
void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
/// The same as data (README.md, "Data").
void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings);

}  // namespace hwtrace::stf
