// formats/stf/transaction_writer.cpp - writes transactions, dependencies and comments of the model as an STF trace
// (formats/stf/README.md#writing-transactions).
#include "transaction_writer.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "encode.hpp"
#include "header_writer.hpp"
#include "io/error.hpp"
#include "tracks.hpp"
#include "transaction_encode.hpp"

namespace hwtrace::stf {
namespace {

constexpr std::uint64_t last_written_cycle = static_cast<std::uint64_t>(std::numeric_limits<Tick>::max());

class TransactionWriter final : public Writer {
public:
    TransactionWriter(Output& output, Wrapping wrapping, const Schema& schema, const Limits& limits, Losses& losses)
        : schema_(schema), limits_(limits), losses_(losses), container_(output, wrapping) {
        learn_tracks();
    }

    void write(const Batch& batch) override;
    void finish() override;

private:
    enum class Role : std::uint8_t { foreign, transaction, dependency, note, native };
    struct TrackUse {
        Role role = Role::foreign;
        std::uint8_t clock = 0;
    };
    /// A dependency that waits for its transaction, or a record after such a dependency. waiting_bytes_ holds its
    /// bytes.
    struct Waiting {
        std::size_t offset, size;
        std::uint64_t to;
        TrackId track;
        bool dependency;
    };

    void learn_tracks();
    void begin();
    void record(const Batch& batch, const Record& record);
    bool transaction(const Batch& batch, const Record& record, std::uint8_t clock);
    void end_group(std::uint64_t id, bool is_transaction);
    void marker();
    Appender& body() { return waiting_.empty() ? container_.stream() : waiting_bytes_; }
    void drop(Loss loss, TrackId track);

    const Schema& schema_;
    const Limits& limits_;
    Losses& losses_;
    ContainerWriter container_;
    std::vector<TrackUse> tracks_;
    bool begun_ = false;

    std::uint64_t cycle_ = 0;
    std::uint64_t transactions_ = 0;
    Transaction transaction_;
    Appender waiting_bytes_;
    std::vector<Waiting> waiting_;
};

void TransactionWriter::learn_tracks() {
    for (const Track& track : schema_.tracks()) {
        TrackUse use;
        if (is_dependency_track(track)) {
            use.role = Role::dependency;
        } else if (track.kind == Track::Kind::notes && track.name == comment_track) {
            use.role = Role::note;
        } else if (track.kind == Track::Kind::native && track.name == native_track) {
            use.role = Role::native;
        }
        tracks_.push_back(use);
    }
    for (const StreamClock& clock : clocks_of_streams(schema_))
        tracks_[clock.stream] = {Role::transaction, clock.id};
}

void TransactionWriter::begin() {
    append_transaction_header(container_.stream(), schema_, losses_);
    begun_ = true;
}

void TransactionWriter::write(const Batch& batch) {
    if (!begun_) begin();
    // The header has no clock for tracks that are declared later, so such tracks are foreign.
    if (tracks_.size() < schema_.tracks().size()) [[unlikely]]
        tracks_.resize(schema_.tracks().size());
    for (const Record& entry : batch.records())
        record(batch, entry);
    container_.settle();
}

void TransactionWriter::finish() {
    if (!begun_) begin();
    end_group(0, false);
    container_.finish();
}

void TransactionWriter::drop(Loss loss, TrackId track) {
    losses_.count(loss, schema_.tracks()[track].name,
                  [&] { return "before transaction " + std::to_string(transactions_); });
}

void TransactionWriter::record(const Batch& batch, const Record& record) {
    const TrackUse& use = tracks_[record.track];
    const std::size_t offset = waiting_bytes_.size();
    const bool waits = !waiting_.empty();
    if (use.role == Role::transaction && record.kind == Kind::interval) {
        if (!transaction(batch, record, use.clock)) drop(Loss::kind_dropped, record.track);
        return;
    }
    if (use.role == Role::dependency && record.kind == Kind::relation && record.count == dependency_cells) {
        append_dependency(waiting_bytes_, batch.cells(record));
        waiting_.push_back({offset, dependency_size, batch.cells(record)[dependency_to], record.track, true});
        check_limit(waiting_bytes_.size(), limits_.record, "a transaction's group of records", "--max-record");
        return;
    }
    if (use.role == Role::note && record.kind == Kind::note) {
        append_record(body(), Descriptor::comment, record.count);
        body().bytes(batch.bytes(record));
    } else if (use.role == Role::native && record.kind == Kind::native && record.count > 0) {
        const RawRecord raw{static_cast<Descriptor>(batch.bytes(record)[0]), batch.bytes(record).data(), record.count};
        if (raw.descriptor == Descriptor::transaction && raw.size > transaction_head) {
            end_group(raw.at<std::uint64_t>(transaction_id_at), true);
            container_.stream().bytes(raw.bytes());
            cycle_ += std::min(raw.at<std::uint64_t>(transaction_delta_at), last_written_cycle - cycle_);
            marker();
            return;
        }
        body().bytes(raw.bytes());
        if (is_marker(raw.descriptor) && !waits) marker();
    } else {
        drop(record.kind == Kind::native     ? Loss::native_dropped
             : record.kind == Kind::relation ? Loss::relation_dropped
                                             : Loss::kind_dropped,
             record.track);
        return;
    }
    if (waits) waiting_.push_back({offset, waiting_bytes_.size() - offset, 0, record.track, false});
    container_.settle();
}

bool TransactionWriter::transaction(const Batch& batch, const Record& record, std::uint8_t clock) {
    if (!transaction_.assign(batch.attributes(record)) || record.time < 0) return false;
    const auto time = static_cast<std::uint64_t>(record.time);
    std::uint64_t delta = transaction_.fields[field_cycle_delta];
    if (!transaction_.has_delta) {
        delta = time > cycle_ ? time - cycle_ : 0;
        if (time < cycle_) drop(Loss::time_rounded, record.track);
    }
    if (record.value != 0) drop(Loss::part_dropped, record.track);  // the duration
    cycle_ = std::max(cycle_, time);
    end_group(transaction_.fields[field_id], true);
    append_transaction(container_.stream(), transaction_, delta, clock);
    marker();
    return true;
}

void TransactionWriter::marker() {
    ++transactions_;
    container_.instruction(0);
    container_.settle();
}

/// Writes the waiting records. Drops dependencies that do not belong to transaction `id`.
void TransactionWriter::end_group(std::uint64_t id, bool is_transaction) {
    for (const Waiting& waiting : waiting_) {
        if (waiting.dependency && (!is_transaction || waiting.to != id))
            drop(Loss::relation_dropped, waiting.track);
        else
            container_.stream().bytes(waiting_bytes_.span().subspan(waiting.offset, waiting.size));
    }
    waiting_.clear();
    waiting_bytes_.clear();
}

}  // namespace

std::unique_ptr<Writer> create_transaction_writer(Output& output, Wrapping wrapping, const Schema& schema,
                                                  const Limits& limits, Losses& losses) {
    return std::make_unique<TransactionWriter>(output, wrapping, schema, limits, losses);
}

void foresee_transactions(const Schema& schema, std::vector<ExpectedLoss>& losses) {
    const std::vector<StreamClock> clocks = clocks_of_streams(schema);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        const std::string& name = track.name;
        if (is_transaction_stream(track)) {
            if (std::none_of(clocks.begin(), clocks.end(), [&](const StreamClock& use) { return use.stream == id; }))
                losses.push_back({Loss::kind_dropped, name, "there are more streams than clock ids"});
            losses.push_back({Loss::kind_dropped, name, "messages with inconsistent parts"});
            losses.push_back({Loss::part_dropped, name, "a transaction has no duration"});
            losses.push_back({Loss::time_rounded, name, "a time before the previous transaction"});
        } else if (is_dependency_track(track)) {
            losses.push_back({Loss::relation_dropped, name, "dependencies that do not precede their transaction"});
        } else if (track.kind == Track::Kind::native) {
            losses.push_back({Loss::native_dropped, name, "empty native records"});
        } else if (!(track.kind == Track::Kind::notes && name == comment_track)) {
            losses.push_back({track.kind == Track::Kind::relation_type ? Loss::relation_dropped : Loss::kind_dropped,
                              name, "a trace of transactions has no place for it"});
        }
    }
}

}  // namespace hwtrace::stf
