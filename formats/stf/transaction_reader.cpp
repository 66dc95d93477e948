// formats/stf/transaction_reader.cpp - converts a transaction trace to the model: each TRANSACTION becomes an interval,
// and each dependency a relation (formats/stf/README.md#transaction-model).
#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/resumable.hpp"
#include "header_facts.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "open_trace.hpp"
#include "tracks.hpp"
#include "transaction_encode.hpp"
#include "transaction_ids.hpp"
#include "transaction_tracks.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {
namespace {

constexpr std::uint64_t last_cycle = static_cast<std::uint64_t>(std::numeric_limits<Tick>::max());

class TransactionReader final : public Reader, public Resumable {
public:
    TransactionReader(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings);

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    bool keep_states() override { return !ids_ && scanner_.keep_states(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }

private:
    void declare_tracks();
    void check_feature();
    void fill(Batch& batch);
    void transaction(Batch& batch, const RawRecord& record);
    void interval(Batch& batch, const RawRecord& record, TrackId stream, bool in_time);
    void words(std::uint32_t field, std::span<const std::byte> bytes);
    void dependency(Batch& batch, const RawRecord& record);
    void end_group(Batch& batch, std::uint64_t id);
    void end_input(Batch& batch);
    void native(Batch& batch, const RawRecord& record, Check check, std::string_view expected);
    void attribute(std::uint32_t field, std::uint64_t value) { attributes_.push_back({field, value}); }
    bool advance(std::uint64_t delta);
    Tick now() const noexcept { return static_cast<Tick>(cycle_); }

    Input& input_;
    const Limits& limits_;
    std::unique_ptr<OpenTrace> trace_;
    Scanner& scanner_;
    Schema schema_;
    Facts header_facts_;
    std::uint64_t header_records_ = 0;

    std::array<TrackId, 256> streams_{};  ///< by clock id
    TrackId dependencies_ = none, comments_ = none, natives_ = none;

    // A dependency and all records after it wait for the dependent transaction.
    static constexpr std::size_t no_record = std::numeric_limits<std::size_t>::max();
    std::size_t first_waiting_ = no_record;       ///< index in the batch of the first waiting record
    std::vector<Scanner::Place> waiting_places_;  ///< positions of the waiting dependencies
    std::uint64_t group_offset_ = 0;              ///< stream offset of the first waiting record
    std::uint64_t lost_told_ = 0;                 ///< number of lost transactions that are already reported

    std::uint64_t cycle_ = 0;
    std::uint64_t last_id_ = 0;
    bool any_id_ = false;
    std::optional<TransactionIds> ids_;                        ///< none: ids are not checked, or unknown
    std::array<std::uint64_t, channel_count + 1> messages_{};  ///< by channel
    std::uint64_t dependency_count_ = 0;

    std::vector<Attribute> attributes_;
    bool ended_ = false;
    std::exception_ptr failure_;  ///< thrown after the records before it have been delivered
};

TransactionReader::TransactionReader(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings)
    : input_(input), limits_(settings.limits), trace_(std::move(trace)), scanner_(trace_->scanner) {
    declare_tracks();
    if (settings.check >= CheckLevel::semantic) {
        ids_.emplace();
        check_feature();
    }
    for (const HeaderRecord& record : trace_->header)
        describe_header_record(record.raw(), schema_, header_facts_);
    header_records_ = scanner_.records();
}

void TransactionReader::declare_tracks() {
    const ScopeId root = schema_.declare(Scope{"/", none, {}, none});
    const EnumId channel = schema_.declare(channel_enum());
    const EnumId metadata_type = schema_.declare(metadata_type_enum());
    const auto declare = [&](Track::Kind kind, ScopeId scope, std::string_view name, std::vector<Field> fields) {
        return schema_.declare(make_track(kind, scope, name, transaction_base, std::move(fields)));
    };
    streams_.fill(none);
    for (const HeaderRecord& header : trace_->header) {
        const RawRecord record = header.raw();
        if (record.descriptor != Descriptor::clock_id) continue;
        const auto id = record.at<std::uint8_t>(1);
        TrackId& stream = streams_[id];
        if (stream != none) continue;
        const std::string name(record.text(clock_id_head));
        const ClockId clock = schema_.declare(Clock{name, 0});
        const ScopeId scope = schema_.declare(Scope{name, root, {}, clock, id});
        stream = declare(Track::Kind::stream, scope, transaction_track, transaction_fields(channel, metadata_type));
    }
    dependencies_ = declare(Track::Kind::relation_type, root, dependency_track, dependency_fields());
    comments_ = declare(Track::Kind::notes, root, comment_track, {});
    natives_ = declare(Track::Kind::native, root, native_track, {});
}

void TransactionReader::check_feature() {
    Scanner::Place place{identifier_size, 1, 0};
    for (const HeaderRecord& header : trace_->header) {
        if (header.descriptor == Descriptor::trace_info_feature &&
            (header.raw().at<std::uint64_t>(1) & feature_transactions) == 0)
            scanner_.report_at(place, Check::transactions_feature, "the feature TRANSACTIONS",
                               "transactions without the feature");
        place.offset += header.raw().size;
        ++*place.record;
    }
}

Facts TransactionReader::facts() const {
    Facts facts;
    add_container_facts(scanner_, ended_, facts);
    facts.insert(facts.end(), header_facts_.begin(), header_facts_.end());
    if (!ended_) return facts;  // a count could be mistaken for the total
    facts.emplace_back("transactions", scanner_.instructions() - scanner_.lost());
    if (scanner_.lost() != 0) facts.emplace_back("lost_transactions", scanner_.lost());
    constexpr std::string_view names[] = {"", "channel_a", "channel_b", "channel_c", "channel_d", "channel_e"};
    for (std::size_t channel = 1; channel < messages_.size(); ++channel)
        if (messages_[channel] != 0) facts.emplace_back(names[channel], messages_[channel]);
    facts.emplace_back("dependencies", dependency_count_);
    if (scanner_.counts_records()) facts.emplace_back("records", scanner_.records() - header_records_);
    return facts;
}

bool TransactionReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return false;
    std::uint64_t lost_before = 0;
    try {
        while (batch.empty() && !ended_) {  // damage may precede the first record
            lost_before = scanner_.lost();
            fill(batch);
        }
    } catch (const Error&) {
        ended_ = true;
        failure_ = std::current_exception();
        end_input(batch);
        if (batch.empty()) throw;
    }
    batch.set_lost_positions(lost_before - std::exchange(lost_told_, lost_before));
    return !batch.empty();
}

bool TransactionReader::save_state(Appender& out) {
    const bool is_between_groups = first_waiting_ == no_record && waiting_places_.empty();
    if (ids_ || ended_ || failure_ || !is_between_groups || !scanner_.save_state(out)) return false;
    out.leb128(cycle_);
    out.le(last_id_);
    out.le(static_cast<std::uint8_t>(any_id_ ? 1 : 0));
    for (const std::uint64_t count : messages_)
        out.leb128(count);
    out.leb128(dependency_count_);
    return true;
}

bool TransactionReader::restore_state(Cursor& in) {
    if (ids_ || !scanner_.restore_state(in)) return false;
    cycle_ = std::min(in.leb128(), last_cycle);
    last_id_ = in.le<std::uint64_t>();
    any_id_ = in.le<std::uint8_t>() != 0;
    for (std::uint64_t& count : messages_)
        count = in.leb128();
    dependency_count_ = in.leb128();
    failure_ = nullptr;
    ended_ = false;
    return true;
}

void TransactionReader::fill(Batch& batch) {
    RawRecord record;
    while (scanner_.next(record)) {
        switch (record.descriptor) {
            case Descriptor::transaction:
                transaction(batch, record);
                break;
            case Descriptor::transaction_dependency:
                dependency(batch, record);
                break;
            case Descriptor::comment:
                batch.note(comments_, now(), record.text(comment_head));
                break;
            default:
                if (is_header_record(record.descriptor)) {
                    native(batch, record, Check::header_record_in_body, "a body record");
                } else {
                    native(batch, record, Check::instruction_record, "a record of a transaction trace");
                }
                break;
        }
        if (first_waiting_ == no_record) {
            if (batch.full()) return;
        } else if (scanner_.offset() - group_offset_ > limits_.record) [[unlikely]] {
            refuse(scanner_.offset() - group_offset_, limits_.record, "a transaction's group of records",
                   "--max-record");
        }
    }
    end_input(batch);
    ids_.reset();  // after damage, the earlier ids are unknown
    ended_ = !scanner_.resume();
}

void TransactionReader::native(Batch& batch, const RawRecord& record, Check check, std::string_view expected) {
    scanner_.report(check, std::string(expected), std::string(name_of(record.descriptor)));
    batch.native(natives_, now(), record.bytes());
}

// --- transactions ----------------------------------------------------------------------------------------------------

/// Adds a delta to the time. Returns false if the sum exceeds the largest Tick.
bool TransactionReader::advance(std::uint64_t delta) {
    if (delta <= last_cycle - cycle_) [[likely]] {
        cycle_ += delta;
        return true;
    }
    cycle_ = last_cycle;
    return false;
}

void TransactionReader::transaction(Batch& batch, const RawRecord& record) {
    const auto id = record.at<std::uint64_t>(transaction_id_at);
    const auto delta = record.at<std::uint64_t>(transaction_delta_at);
    const auto clock = record.at<std::uint8_t>(transaction_clock_at);
    if (any_id_ && id <= last_id_) {
        scanner_.report(Check::transaction_order, "an id above " + std::to_string(last_id_), std::to_string(id));
    }
    any_id_ = true;
    last_id_ = id;
    if (ids_ && !ids_->add(id, limits_.schema_objects)) ids_.reset();
    const bool in_time = advance(delta);
    if (!in_time) {
        scanner_.report(Check::transaction_time, "a sum of at most " + std::to_string(last_cycle) + " cycles",
                        std::to_string(delta) + " more");
    }
    if (const TrackId stream = streams_[clock]; stream != none) [[likely]] {
        interval(batch, record, stream, in_time);
    } else {
        scanner_.report(Check::clock_unknown, "a clock of the header", std::to_string(clock));
        batch.native(natives_, now(), record.bytes());
    }
    if (first_waiting_ != no_record) end_group(batch, id);
}

void TransactionReader::interval(Batch& batch, const RawRecord& record, TrackId stream, bool in_time) {
    const Message message = message_of(record);
    attributes_.clear();
    attribute(field_id, record.at<std::uint64_t>(transaction_id_at));
    ++messages_[static_cast<std::size_t>(message.channel)];
    attribute(field_channel, static_cast<std::uint64_t>(message.channel));
    if (has_request(message.channel)) {
        attribute(field_code, message.code);
        attribute(field_param, message.param);
        attribute(field_size, message.size);
        attribute(field_source, message.source);
    }
    if (has_address(message.channel)) attribute(field_address, message.address);
    if (has_sink(message.channel)) attribute(field_sink, message.sink);
    if (has_request(message.channel)) attribute(field_data_size, message.data.size());
    if (has_mask(message.channel)) attribute(field_mask_bits, message.mask_bits);
    if (!in_time) attribute(field_cycle_delta, record.at<std::uint64_t>(transaction_delta_at));
    for (MetadataWalk metadata(record); metadata.next();) {
        attribute(field_metadata_type, metadata.type());
        attribute(field_metadata, metadata.value());
    }
    words(field_data, message.data);
    words(field_mask, message.mask);
    batch.interval(stream, now(), 0, attributes_);
}

/// Adds bytes as attributes, one per 64-bit word, least significant word first. Pads the last word with zeros.
void TransactionReader::words(std::uint32_t field, std::span<const std::byte> bytes) {
    for (; bytes.size() >= 8; bytes = bytes.subspan(8))
        attribute(field, load_le<std::uint64_t>(bytes.data()));
    if (bytes.empty()) return;
    std::array<std::byte, 8> last{};
    std::copy(bytes.begin(), bytes.end(), last.begin());
    attribute(field, load_le<std::uint64_t>(last.data()));
}

// --- groups ----------------------------------------------------------------------------------------------------------

void TransactionReader::dependency(Batch& batch, const RawRecord& record) {
    const auto id = record.at<std::uint64_t>(transaction_id_at);
    const auto clock = record.at<std::uint8_t>(transaction_clock_at);
    if (streams_[clock] == none) scanner_.report(Check::clock_unknown, "a clock of the header", std::to_string(clock));
    if (first_waiting_ == no_record) {
        first_waiting_ = batch.records().size();
        group_offset_ = scanner_.offset() - record.size;
    }
    waiting_places_.push_back(scanner_.place());
    const std::array<std::uint64_t, dependency_cells> cells{id, 0, record.at<std::uint64_t>(transaction_delta_at),
                                                            clock};
    batch.relation(dependencies_, now(), cells);
    ++dependency_count_;
}

/// Assigns the waiting records to transaction `id`, which was appended last, and gives them its time.
void TransactionReader::end_group(Batch& batch, std::uint64_t id) {
    auto place = waiting_places_.begin();
    for (Record& record : batch.mutable_records().subspan(first_waiting_)) {
        record.time = now();
        if (record.kind != Kind::relation) continue;
        const std::span<std::uint64_t> cells = batch.mutable_cells(record);
        cells[dependency_to] = id;
        const Scanner::Place& stands = *place++;
        if (cells[dependency_from] >= id) {
            scanner_.report_at(stands, Check::dependency_forward, "a dependency on an id below " + std::to_string(id),
                               std::to_string(cells[dependency_from]));
        } else if (ids_ && !ids_->contains(cells[dependency_from])) {
            scanner_.report_at(stands, Check::dependency_unknown, "a dependency on a transaction before it",
                               std::to_string(cells[dependency_from]));
        }
    }
    first_waiting_ = no_record;
    waiting_places_.clear();
}

/// Converts dependencies of a missing transaction into raw records, in place.
void TransactionReader::end_input(Batch& batch) {
    if (first_waiting_ == no_record) return;
    if (scanner_.ended_whole()) {
        scanner_.report_at(waiting_places_.front(), Check::dependency_unfinished, "a transaction that ends the group",
                           "the end of the trace");
    }
    Batch kept;
    Appender bytes;
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::relation ||
            static_cast<std::size_t>(&record - batch.records().data()) < first_waiting_) {
            kept.copy(batch, record, record.track);
            continue;
        }
        bytes.clear();
        append_dependency(bytes, batch.cells(record));
        kept.native(natives_, record.time, bytes.span());
    }
    batch = std::move(kept);
    first_waiting_ = no_record;
    waiting_places_.clear();
}

}  // namespace

std::unique_ptr<Reader> open_transactions(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings) {
    return std::make_unique<TransactionReader>(std::move(trace), input, settings);
}

}  // namespace hwtrace::stf
