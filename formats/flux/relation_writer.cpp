#include "relation_writer.hpp"

#include <string>

#include "encode.hpp"
#include "io/appender.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

std::size_t room_of_relation(std::uint64_t item) {
    return 27 + EntryWriter::number_size(item);
}

}  // namespace

/// Returns true if the current section contains the item's last sample, as a relation or label requires.
bool RelationWriter::has_sample_here(const TrackPlan& track, std::uint64_t item, std::string_view subject) {
    if (entries_.ring() == nullptr) return true;
    const auto sampled = sampled_.find({plan_.traces[track.trace].id, item});
    if (sampled != sampled_.end() && sampled->second == entries_.ring()->lap()) return true;
    losses_.count(Loss::part_dropped, subject,
                  [&] { return "item " + std::to_string(item) + ": its sample is in another section of the ring"; });
    return false;
}

void RelationWriter::relation(std::span<const std::uint64_t> cells, const TrackPlan& track) {
    constexpr std::size_t item = 0, target = 1, style = 2, type = 3, distance = 4, domain = 5, count = 6;
    if (cells.size() < count || !has_sample_here(track, cells[item], relation_track)) return;
    const TracePlan& trace = plan_.traces[track.trace];
    if (entries_.ring() != nullptr &&
        !entries_.make_room(room_of_relation(cells[item]) +
                                labels_.room_of_text(track, cells[item], EnumDomain::relation_target, cells[target]) +
                                labels_.room_of_text(track, cells[item], EnumDomain::relation_style, cells[style]) +
                                labels_.room_of_text(track, cells[item], EnumDomain::relation_domain, cells[domain]),
                            "a relation"))
        return;
    if (!has_sample_here(track, cells[item], relation_track)) return;
    const std::uint64_t target_number =
        labels_.number_of(track, cells[item], EnumDomain::relation_target, cells[target]);
    const std::uint64_t style_number = labels_.number_of(track, cells[item], EnumDomain::relation_style, cells[style]);
    const bool has_domain = !schema_.text(static_cast<StringId>(cells[domain])).empty();
    const bool is_old = trace.layout == Layout::emitters_4;
    if (is_old && (has_domain || cells[type] != 0))
        losses_.count(Loss::value_narrowed, relation_track, [&] {
            return "type " + std::to_string(cells[type]) + ": version 4 stores relations as distances only";
        });
    const std::uint64_t domain_number =
        has_domain && !is_old ? labels_.number_of(track, cells[item], EnumDomain::relation_domain, cells[domain]) : 0;
    entries_.switch_to(trace);
    if (entries_.ring() != nullptr) entries_.ring()->count_record();
    Appender& out = entries_.out();
    append_tag(out, Tag::relation);
    out.leb128(cells[item]);
    if (!is_old) out.le(static_cast<std::uint8_t>(cells[type]));
    out.leb128(target_number);
    out.leb128(style_number);
    append_signed(out, static_cast<std::int64_t>(cells[distance]));
    if (!is_old) out.leb128(domain_number);
    entries_.end();
}

void RelationWriter::label(std::span<const std::uint64_t> cells, const TrackPlan& track) {
    constexpr std::size_t item = 0, style = 1, x = 2, y = 3, count = 4;
    if (cells.size() < count || !has_sample_here(track, cells[item], label_track)) return;
    if (entries_.ring() != nullptr &&
        !entries_.make_room(room_of_relation(cells[item]) +
                                labels_.room_of_text(track, cells[item], EnumDomain::label_style, cells[style]),
                            "a label"))
        return;
    if (!has_sample_here(track, cells[item], label_track)) return;
    const std::uint64_t number = labels_.number_of(track, cells[item], EnumDomain::label_style, cells[style]);
    entries_.switch_to(plan_.traces[track.trace]);
    if (entries_.ring() != nullptr) entries_.ring()->count_record();
    Appender& out = entries_.out();
    append_tag(out, Tag::label);
    out.leb128(cells[item]);
    out.leb128(number);
    append_signed(out, static_cast<std::int64_t>(cells[x]));
    append_signed(out, static_cast<std::int64_t>(cells[y]));
    entries_.end();
}

}  // namespace hwtrace::flux
