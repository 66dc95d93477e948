// formats/waveform/format.cpp - the descriptors of VCD and FST. The rest of the program uses the formats only through
// these descriptors.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "codec.hpp"
#include "codec/format.hpp"
#include "fst_encoder.hpp"
#include "presentation.hpp"
#include "rules.hpp"
#include "vcd_encoder.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 1> vcd_extensions{".vcd"};

constexpr std::array<std::string_view, 1> fst_extensions{".fst"};

constexpr bool always(const Settings&) {
    return true;
}

std::unique_ptr<Writer> create_vcd(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return waveform::make_presentation(waveform::encode_vcd(output, losses), schema, settings, losses);
}

std::unique_ptr<Writer> create_fst(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return waveform::make_presentation(waveform::encode_fst(output, losses), schema, settings, losses);
}

template <const std::string_view& reason>
void foresee(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    waveform::foresee_losses(schema, settings, losses);
    for (const Track& track : schema.tracks())
        for (const Field& field : track.fields)
            if (field.type == Type::logic)
                return losses.push_back({Loss::value_narrowed, "states", std::string(reason), true});
}

template <waveform::OpenReader open>
void render_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    waveform::render_changes(open, input, form, out, settings, findings);
}
template <waveform::OpenReader open>
void render(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    waveform::render_changes(open, input, TextForm::text, out, settings, findings);
}

/// The view of the format that `open` reads.
template <waveform::OpenReader open>
constexpr std::array views{
    View{"changes", "one line per change", render<open>, render_data<open>, std::nullopt, nullptr, true},
};

constexpr std::string_view vcd_text = "IEEE Std 1364-2005";

}  // namespace

extern const Format vcd_format;
constinit const Format vcd_format{
    .name = "vcd",
    .title = "value change dump of a simulator",
    .extensions = vcd_extensions,
    .reads = {.shapes = {Shape::signal, Shape::event_type},
              .streams = true,
              .schema_upfront = false,
              .ends_anywhere = true},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .writes_text = always,
               .is_picture = true,
               .foresee = foresee<waveform::vcd_states>,
               .needs_time_order = waveform::needs_time_order},
    .options = {},
    .views = views<waveform::open_vcd>,
    .rules = waveform::vcd_rule_table,
    .text_title = vcd_text,
    .sniff = waveform::recognise_vcd,
    .make_reader = waveform::open_vcd,
    .make_writer = create_vcd,
};

extern const Format fst_format;
constinit const Format fst_format{
    .name = "fst",
    .title = "fast signal trace of GTKWave",
    .extensions = fst_extensions,
    .reads = {.shapes = {Shape::signal, Shape::event_type}, .schema_upfront = false},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .needs_patch = true,
               .is_picture = true,
               .foresee = foresee<waveform::fst_states>,
               .needs_time_order = waveform::needs_time_order},
    .options = {},
    .views = views<waveform::open_fst>,
    .rules = waveform::fst_rule_table,
    .sniff = waveform::recognise_fst,
    .make_reader = waveform::open_fst,
    .make_writer = create_fst,
};

}  // namespace hwtrace
