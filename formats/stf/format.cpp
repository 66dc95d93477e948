// formats/stf/format.cpp - the descriptor of STF. The rest of the program uses the format only through this descriptor.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "codec.hpp"
#include "codec/decoding.hpp"
#include "container.hpp"
#include "header_writer.hpp"
#include "rules.hpp"
#include "transaction_tracks.hpp"
#include "transaction_writer.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 5> extensions{".stf.gz", ".stf.zst", ".stf.xz", ".zstf", ".stf"};

constexpr std::array views{
    // Whoever wants the records of instructions asks for them.
    View{"records", "one line per record, as the reference record dump prints it", stf::render_records, nullptr,
         TraceWindow::Unit::records, stf::has_transactions, true},
    View{"instructions", "instructions with registers, accesses and events, as the reference dump prints them",
         stf::render_instructions, stf::render_instruction_data, TraceWindow::Unit::records,
         [](const Schema& schema) { return !stf::has_transactions(schema); }, true},
};

/// Lists the losses that follow from the schema alone.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    for (const std::string& key : stf::metadata_without_place(schema))
        losses.push_back({Loss::metadata_dropped, key, "the header has no place for it"});
    if (stf::has_transactions(schema)) {
        stf::foresee_transactions(schema, losses);
        return;
    }
    Losses names;
    stf::count_names(schema, names);
    for (const auto& [lost, entry] : names.entries())
        losses.push_back({lost.first, lost.second, entry.first});
    for (const Track& track : schema.tracks())
        if (stf::counts_gaps(track, settings))
            losses.push_back({Loss::time_rounded, track.name, "gaps between the positions of instructions"});
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type)
            losses.push_back({Loss::kind_dropped, track.name, "an instruction trace has no place for it"});
    const bool owned = std::ranges::any_of(schema.tracks(), [](const Track& track) {
        return track.kind == Track::Kind::event_type || track.kind == Track::Kind::notes ||
               track.kind == Track::Kind::native;
    });
    if (!owned) return;
    for (const Loss loss : {Loss::part_dropped, Loss::order_changed})
        losses.push_back(
            {loss, std::string(stf::lost_instructions.text()), "records of an instruction that the trace lacks", true});
}

std::vector<Library> libraries() {
    const std::string version = Decoding::version();
    return version.empty() ? std::vector<Library>{} : std::vector<Library>{{"LLVM", version}};
}

}  // namespace

extern const Format stf_format;
constinit const Format stf_format{
    .name = "stf",
    .title = "Simulation Trace Format: traces of instructions or of transactions",
    .extensions = extensions,
    .reads = {.shapes = {Shape::hart, Shape::event_type, Shape::notes, Shape::native, Shape::stream,
                         Shape::relation_type},
              .streams = true,
              .schema_upfront = true},
    // ZSTF patches the index offset into its header at the end. Other containers patch nothing.
    .writes = {.holds = {Holding(Shape::hart).single(), Holding(Shape::event_type).own(), Holding(Shape::notes).own(),
                         Shape::native, Holding(Shape::stream).which(stf::is_interval_track),
                         Holding(Shape::relation_type).which(stf::is_interval_track)},
               .needs_patch = true,
               .foresee = foresee_losses},
    .options = stf::options,
    .views = views,
    .rules = stf::rules(),
    .text_title = "STF Specification",
    .libraries = libraries,
    .sniff = [](Head head) { return stf::recognise(head).has_value(); },
    .make_reader = stf::open_reader,
    .make_writer = stf::create_writer,
};

}  // namespace hwtrace
