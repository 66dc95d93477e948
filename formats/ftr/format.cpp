// formats/ftr/format.cpp - the descriptor of FTR. The rest of the program uses the format only through this descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "io/cbor.hpp"
#include "options.hpp"
#include "rules.hpp"
#include "wire.hpp"
#include "writer.hpp"

namespace hwtrace {

namespace {

constexpr std::array<std::string_view, 1> extensions{".ftr"};
constexpr std::array views{
    View{"transactions", "streams and generators, then each transaction and relation", ftr::render_transactions,
         ftr::render_transaction_data, std::nullopt, nullptr, true},
    View{"tree", "streams, generators and their attributes, with the number of transactions", ftr::render_tree,
         ftr::render_tree_data, std::nullopt, nullptr, true},
};

/// Returns true if the head begins with a frame, and a chunk, the end mark or the end of the file follows
/// (formats/ftr/README.md#frame).
bool sniff(Head head) {
    CborCursor cursor(head);
    CborItems items;
    CborHead first;
    std::uint64_t tag = 0;
    if (!cursor.tag(tag) || tag != ftr::self_described || !cursor.array(items)) return false;
    if (cursor.at_end()) return items.indefinite;
    if (!cursor.peek(first)) return false;
    if (first.is_break()) return items.indefinite;
    return first.major == CborMajor::tag && (first.argument == 6 || (first.argument >= 8 && first.argument <= 15));
}

}  // namespace

extern const Format ftr_format;
constinit const Format ftr_format{
    .name = "ftr",
    .title = "Fast Transaction Recording: transactions of a simulation, with attributes and relations",
    .extensions = extensions,
    .reads = {.shapes = {Shape::stream, Shape::relation_type},
              .streams = false,
              .schema_upfront = false,
              .time_ordered = false,
              .relations = RelationPlace::timeless},
    .writes = {.holds = {Shape::stream, Shape::relation_type},
               .time = TimeLimit::known_length,
               .keeps_texts =
                   [](const Settings& settings) {
                       return settings.text(ftr::options, ftr::dictionary_option) == "source";
                   },
               .growing_schema = true,
               .foresee = ftr::foresee_losses},
    .options = ftr::options,
    .views = views,
    .rules = ftr::rules(),
    .text_title = "LWTR4SC - Lightweight transaction recording for SystemC",
    .sniff = sniff,
    .make_reader = ftr::open_reader,
    .make_writer = ftr::create_writer,
};

}  // namespace hwtrace
