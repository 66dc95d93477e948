#include "operate/raised_records.hpp"

namespace hwtrace {

RaisedRecords::RaisedRecords(Reader& reader, Plan& raising, Shapes shapes)
    : reader_(reader),
      raising_(raising),
      stages_(raising),
      counter_(position_kind(raising.target_schema(reader.schema()), shapes)) {}

Schema& RaisedRecords::schema() {
    // A reader's schema can be extended by its user. No selection does that.
    return const_cast<Schema&>(raising_.target_schema(reader_.schema()));
}

bool RaisedRecords::read(Batch& batch) {
    while (raised_ == nullptr || next_ == raised_->records().size())
        if (!raise()) return false;
    if (next_ == 0) counter_.lose(raised_->lost_positions());
    batch.set_lost_positions(next_ == 0 ? raised_->lost_positions() : 0);
    const Record& record = raised_->records()[next_++];
    batch.copy(*raised_, record, record.track);
    const std::uint64_t before = counter_.positions();
    latest_ = counter_.add(record, schema().tracks()[record.track]).value_or(before);
    return true;
}

bool RaisedRecords::raise() {
    next_ = 0;
    read_.clear();
    if (!ended_ && reader_.read(read_)) {
        raised_ = &stages_.apply(read_);
        if (raised_->empty() && raised_->lost_positions() != 0) counter_.lose(raised_->lost_positions());
        return true;
    }
    ended_ = true;
    raised_ = stages_.finish_next();
    return raised_ != nullptr;
}

void use_raised(Input& input, const Format& from, const Format& to, const Choices& choices,
                const std::function<void(PreparedSource& source, Plan& raising)>& use) {
    input.spool(choices.settings.temporary_folder);
    Findings reported_later(0);
    Losses none_yet;
    PreparedSource source(input, from, to, choices.settings, reported_later, choices.criteria.records, choices.index);
    Choices whole = choices;  // with this range, the plan raises the trace
    whole.range = Range{Range::Unit::record, 0, std::nullopt};
    Plan raising = make_raising_plan(source.schema(), to, whole, none_yet);
    use(source, raising);
    input.seek(0);
}

}  // namespace hwtrace
