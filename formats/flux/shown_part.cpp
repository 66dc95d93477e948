#include "shown_part.hpp"

#include <vector>

#include "codec/reader.hpp"
#include "codec/record_number.hpp"
#include "scan.hpp"

namespace hwtrace::flux {

namespace {

/// A reader that stores the number of the entry in each record.
class NumberedEntries final : public Reader, private EntryListener {
public:
    struct Kept {
        Entry entry;  ///< `bytes_` holds its strings and bytes
        Place place;
        Layout layout = Layout::emitters_6;
        std::size_t records = 0;          ///< number of records that the entry produced
        std::size_t begin = 0, size = 0;  ///< range in `bytes_`: the value of a sample, else the whole entry
    };

    NumberedEntries(Input& input, const Settings& settings, Findings& findings)
        : scan_(input, settings, findings, schema_, this) {}

    Schema& schema() override { return schema_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }

    /// Reads a batch and forgets the entries of earlier batches.
    bool read(Batch& batch) override {
        if (begun_) clear();
        begun_ = true;
        read_.clear();
        const bool any = scan_.read(read_);
        batch.set_lost_positions(read_.lost_positions());
        std::size_t at = 0;
        for (std::size_t i = 0; i < kept_.size(); ++i)
            for (std::size_t left = kept_[i].records; left != 0; --left)
                numbered_.append(read_, read_.records()[at++], i + 1, batch);
        return any;
    }

    /// Returns the entry that produced a record of the slice, or null.
    const Kept* entry_of(const Batch& part, const Record& record) const {
        const std::uint64_t number = NumberedRecords::of(part, record).value_or(0);
        return number == 0 || number > kept_.size() ? nullptr : &kept_[static_cast<std::size_t>(number - 1)];
    }

    /// Returns the entry with its strings and bytes, which are valid until the next batch.
    Entry whole(const Kept& kept) const {
        const std::span<const std::byte> bytes = std::span(bytes_).subspan(kept.begin, kept.size);
        Entry entry = kept.entry;
        if (entry.tag == Tag::sample) {
            entry.bytes = bytes;
            return entry;
        }
        Cursor cursor(bytes);
        EntryFault fault;
        parse_entry(cursor, kept.layout, entry, fault);
        return entry;
    }

private:
    void clear() {
        kept_.clear();
        bytes_.clear();
    }

    void made(const Entries& entries, std::uint64_t trace, const Entry& entry, std::size_t records) override {
        const std::span<const std::byte> bytes = entry.tag == Tag::sample ? entry.bytes : entry.whole;
        Kept& kept = kept_.emplace_back();
        kept.entry = entry;
        kept.place = {entries.depth() != 0, entries.block_offset(), entries.offset(), trace};
        kept.layout = entries.layout();
        kept.records = records;
        kept.begin = bytes_.size();
        kept.size = bytes.size();
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }

    Schema schema_;
    std::vector<Kept> kept_;
    std::vector<std::byte> bytes_;
    NumberedRecords numbered_;
    Batch read_;
    bool begun_ = false;
    Scan scan_;
};

}  // namespace

void show_part(Input& input, const Settings& settings, Findings& findings,
               const std::function<void(const Place&, const Entry&)>& put) {
    NumberedEntries whole(input, settings, findings);
    const std::unique_ptr<Reader> part = settings.part(whole);
    Batch batch;
    for (; part->read(batch); batch.clear()) {
        const NumberedEntries::Kept* last = nullptr;  // an entry may produce several records
        for (const Record& record : batch.records()) {
            const NumberedEntries::Kept* const kept = whole.entry_of(batch, record);
            if (kept == nullptr || kept == last) continue;
            last = kept;
            put(kept->place, whole.whole(*kept));
        }
    }
}

}  // namespace hwtrace::flux
