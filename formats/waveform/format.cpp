// formats/waveform/format.cpp - the descriptors of VCD and FST. The rest of the program uses the formats only through
// these descriptors.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "presentation.hpp"
#include "vcd_encoder.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 1> vcd_extensions{".vcd"};

constexpr bool never(Head) {
    return false;
}
constexpr bool always(const Settings&) {
    return true;
}

std::unique_ptr<Writer> create_vcd(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return waveform::make_presentation(waveform::encode_vcd(output, losses), schema, settings, losses);
}

void foresee_vcd(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    waveform::foresee_losses(schema, settings, losses);
    for (const Track& track : schema.tracks())
        for (const Field& field : track.fields)
            if (field.type == Type::logic)
                return losses.push_back({Loss::value_narrowed, "states", std::string(waveform::states_narrowed), true});
}

}  // namespace

extern const Format vcd_format;
constinit const Format vcd_format{
    .name = "vcd",
    .title = "value change dump of a simulator",
    .extensions = vcd_extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .writes_text = always,
               .is_picture = true,
               .foresee = foresee_vcd,
               .needs_time_order = waveform::needs_time_order},
    .options = {},
    .views = {},
    .rules = {},
    .sniff = never,
    .make_reader = nullptr,
    .make_writer = create_vcd,
};

}  // namespace hwtrace
