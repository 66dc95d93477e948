// formats/ftr/foreseen.cpp - predicts the losses of a conversion to FTR.
#include <string>
#include <string_view>

#include "block_writer.hpp"
#include "dictionary_writer.hpp"
#include "options.hpp"
#include "source.hpp"
#include "timescale.hpp"
#include "writer.hpp"

namespace hwtrace::ftr {

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, Subject subject, std::string_view why) {
        losses.push_back({loss, std::string(subject.text()), std::string(why), subject.is_general()});
    };
    const bool of_ftr = is_of_ftr(schema, settings);
    if (is_chosen(settings, text_option, "utf8")) {
        foretell(Loss::value_narrowed, DictionaryWriter::subject, "strings that are not UTF-8");
        foretell(Loss::name_changed, DictionaryWriter::subject, "names that are not UTF-8");
    }
    if (is_chosen(settings, doubles_option, "binary32"))
        foretell(Loss::value_narrowed, "*", "numbers that are not exact in binary32");
    if (is_chosen(settings, order_option, "end") || !of_ftr)
        foretell(Loss::order_changed, "*", "transactions of a stream are sorted by end time");
    foretell(Loss::relation_dropped, "*", "names of relations that do not occur");
    if (of_ftr) {
        foretell(Loss::time_rounded, "*",
                 "times above 2^63-1, and relations at another time than the record before them");
        return;
    }
    if (is_chosen(settings, blocks_option, "source"))
        foretell(Loss::order_changed, BlockWriter::turns, "streams are written one after the other, in blocks");
    foretell(Loss::name_changed, "*", "one of two streams or generators with the same id gets a new id");
    foretell(Loss::time_rounded, "*", "times between two ticks of the file, or before 0");
    foretell(Loss::order_changed, "*", "relations lose their position among transactions");
    foretell(
        Loss::type_changed, "*",
        "intervals without an id get one; attributes with the same name and form; values that no label identifies; "
        "booleans above 1");
    foretell(Loss::scope_flattened, "*", "relations of the same name in several scopes");
    foretell(Loss::relation_dropped, "*", "relations without ends");
    const int exponent = choose_exponent(schema.tracks());
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::relation_type)
            for (std::size_t i = 2; i < track.fields.size(); ++i)
                foretell(Loss::field_dropped, track.name + '.' + track.fields[i].name,
                         "FTR stores only the ends of a relation");
        if (track.kind != Track::Kind::stream) continue;
        if (!comes_back(track.time, exponent))
            foretell(Loss::time_rounded, track.name, "its ticks are not whole ticks of the file");
    }
}

}  // namespace hwtrace::ftr
