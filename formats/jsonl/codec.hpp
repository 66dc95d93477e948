// formats/jsonl/codec.hpp - the functions and options that format.cpp puts into the descriptor.
#pragma once

#include <array>
#include <memory>

#include "codec/container.hpp"
#include "codec/format.hpp"

namespace hwtrace::jsonl {

inline constexpr std::string_view container_option = "jsonl-container";
inline constexpr std::array options{
    Option{container_option, container_values, "auto", container_help},
    Option{"jsonl-raise", "off|on", "off", "restore instructions, intervals and signals that a conversion lowered"},
};

/// Returns true if `head` is the beginning of a file of this format, compressed or not.
bool recognise(std::span<const std::byte> head);
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Appends the losses that writing a trace with this schema may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Renders the view "lines".
void render_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::jsonl
