#include "reader.hpp"

#include <memory>
#include <utility>

#include "codec.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"

namespace hwtrace::ftr {

FileReader::FileReader(Input& input, const Settings& settings, Findings& findings, Use use)
    : use_(use), scan_(input, settings, findings, plain_) {
    scan_.stop_at_texts();
    restore();
    if (restoring_ && restoring_->numbers_tell_order()) sorter_.emplace(settings.temporary_folder);
}

/// If the file has a schema mark, restores the schema of the trace that was converted to this file.
void FileReader::restore() {
    std::optional<SchemaMark> mark = scan_.take_schema_mark();
    if (!mark) return;
    if (use_ == Use::selection)
        for (SchemaMark::MarkedTrack& marked : mark->tracks)
            marked.track.native_id = marked.generator;
    restoring_.emplace(plain_, std::move(*mark), scan_.exponent());
    for (const Metadata& entry : plain_.metadata())
        if (entry.key != schema_mark_key) restoring_->schema().describe(entry.key, entry.value);
}

bool FileReader::read(Batch& batch) {
    if (!sorter_) return read_next(batch);
    if (!sorted_) sort();
    places_.clear();
    sorter_->give(batch, places_);
    return !batch.empty();
}

bool FileReader::read_next(Batch& batch) {
    Item item;
    do {
        while (!batch.full() && scan_.next(item))
            append(item, batch);
    } while (batch.empty() && scan_.next_part());
    return !batch.empty();
}

bool FileReader::save_state(Appender& out) {
    if (!can_restore() || !scan_.save_place(out)) return false;
    out.le(now_);
    if (restoring_) restoring_->save(out);
    return true;
}

bool FileReader::restore_state(Cursor& in) {
    if (!can_restore() || !scan_.restore_place(in)) return false;
    now_ = in.le<Tick>();
    if (restoring_) restoring_->restore(in);
    return true;
}

/// Sorts all records into the order of the source.
void FileReader::sort() {
    sorted_ = true;
    std::uint64_t number = 0;
    Item item;
    Batch one;
    do {
        while (scan_.next(item)) {
            if (item.kind == Item::Kind::transaction) number = item.attributes.front().value;
            one.clear();
            append(item, one);
            sorter_->add(number, 0, one, one.records().front());
        }
    } while (scan_.next_part());
}

void FileReader::append(const Item& item, Batch& batch) {
    if (use_ == Use::conversion) [[likely]]
        return append_plain(item, batch);
    one_.clear();
    append_plain(item, one_);
    numbered_.append(one_, one_.records().front(), items_++, batch);
}

void FileReader::append_plain(const Item& item, Batch& batch) {
    if (!restoring_) return append_record(item, now_, batch);
    if (item.kind == Item::Kind::relation) return restoring_->relation(item.track, now_, item.cells, batch);
    now_ = time_of(item);
    restoring_->interval(item.track, item.start, item.end, item.attributes, batch);
}

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FileReader>(input, settings, findings);
}

}  // namespace hwtrace::ftr
