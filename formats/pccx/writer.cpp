#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "header.hpp"
#include "header_choice.hpp"
#include "io/appender.hpp"
#include "lanes.hpp"
#include "payload_layout.hpp"
#include "payload_writer.hpp"
#include "schema_losses.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

namespace {

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

class FileWriter final : public Writer {
public:
    FileWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : output_(output),
          schema_(schema),
          losses_(losses),
          layout_(chosen_layout(schema, settings)),
          is_ours_(schema.metadata("pccx.version") != nullptr && settings.source_format != conventions::merged_source),
          completes_(settings.completes && is_ours_),
          header_(chosen_header(schema, settings, layout_, is_ours_, completes_, losses)),
          lanes_(schema, header_, layout_, is_ours_, losses),
          payload_(output, layout_, header_.checksum.has_value(), losses) {
        // The length of the header depends on numbers that are known only at the end. The numbers of the source are
        // the best guess: in an unchanged trace they stay the same.
        reserved_ = prefix_size + header_text(header_).size();
        output_.append(std::vector<std::byte>(reserved_));
        std::optional<std::uint64_t> total = number_of(schema, total_cycles_key);
        // A JSON source may state its total after the events.
        if (!total && (layout_ != Layout::json || source_layout(schema) != Layout::json)) total = header_.cycles;
        payload_.begin(total, number_of(schema, events_key).value_or(0));
    }

    void write(const Batch& batch) override {
        for (const Record& record : batch.records()) {
            if (record.kind == Kind::native) {
                payload_.append_opaque(batch.bytes(record));
                continue;
            }
            Lane& lane = lanes_.lane(record.track);
            if (record.count == 0 && lane.direct && record.time >= 0) [[likely]]
                event(lane, static_cast<std::uint64_t>(record.time), record.value, nullptr);
            else
                interval(lane, record, batch);
        }
    }

    void finish() override {
        if (!is_ours_ && schema_.metadata(conventions::named_source) == nullptr)
            count_unused(schema_, lanes_, payload_.events() != 0, losses_);
        const std::uint64_t total = final_total();
        payload_.finish(total);
        if (layout_ == Layout::flatbuf && header_.cycles && total != *header_.cycles)
            losses_.count(Loss::metadata_dropped, total_cycles_key,
                          [&] { return std::to_string(total).append("; flatbuf has only trace.cycles"); });
        else if (layout_ == Layout::opaque && number_of(schema_, total_cycles_key))
            losses_.count(Loss::metadata_dropped, total_cycles_key, [&] { return std::to_string(total); });
        complete_header();
        write_header();
    }

private:
    void interval(Lane& lane, const Record& record, const Batch& batch) {
        const Track& track = schema_.tracks()[record.track];
        std::uint64_t start = record.time < 0 ? 0 : static_cast<std::uint64_t>(record.time);
        std::uint64_t duration = record.value;
        if (record.time < 0) round_time(track, record);
        if (!lane.direct) {
            constexpr std::uint64_t longest = std::numeric_limits<Tick>::max();
            const std::uint64_t last = saturating_add(start, duration);
            const Scaled begin = scale(static_cast<Tick>(start), lane.cycles);
            const Scaled end = scale(static_cast<Tick>(std::min(last, longest)), lane.cycles);
            if (!begin.exact || !end.exact || begin.saturated || end.saturated || last > longest)
                round_time(track, record);
            start = static_cast<std::uint64_t>(begin.value);
            duration = static_cast<std::uint64_t>(end.value) - start;
        }
        const std::string_view* name = nullptr;
        std::string_view text;
        for (const Attribute& attribute : batch.attributes(record)) {
            if (attribute.field != lane.name && attribute.field != lane.start) {
                const Field& field = track.fields.at(attribute.field);
                if (field.name == api_name && field.type == Type::text) lane.name = attribute.field;
                if (field.name == conventions::start_cycle && field.type == Type::u64) lane.start = attribute.field;
            }
            if (attribute.field == lane.name) {
                text = schema_.text(static_cast<StringId>(attribute.value));
                name = &text;
            } else if (attribute.field == lane.start && lane.direct &&
                       record.time == std::numeric_limits<Tick>::max()) {
                start = attribute.value;
            } else {
                losses_.count(Loss::field_dropped, track.name + '.' + track.fields[attribute.field].name,
                              [&] { return std::string("at ").append(std::to_string(record.time)); });
            }
        }
        event(lane, start, duration, name);
    }

    void round_time(const Track& track, const Record& record) {
        losses_.count(Loss::time_rounded, track.name, [&] {
            return std::string("at ").append(std::to_string(record.time)).append(": not a whole cycle of the file");
        });
    }

    void event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        payload_.event(lane, start, duration, name);
        latest_end_ = std::max(latest_end_, saturating_add(start, duration));
        highest_core_ = std::max(highest_core_, lane.core);
    }

    /// Returns the total cycles in the source's payload, else in its header, else the latest end of an event.
    std::uint64_t final_total() const {
        if (const auto total = number_of(schema_, total_cycles_key)) return *total;
        return header_.cycles.value_or(latest_end_);
    }

    /// Returns the number of cores that the events need.
    std::uint32_t needed_cores() const noexcept {
        if (payload_.events() == 0) return 0;
        return highest_core_ == std::numeric_limits<std::uint32_t>::max() ? highest_core_ : highest_core_ + 1;
    }

    /// Sets the values that depend on the events.
    void complete_header() {
        if (header_.byte_length || payload_.size() != 0) header_.byte_length = payload_.size();
        if (header_.checksum) header_.checksum = payload_.checksum();
        if (!is_ours_) {
            header_.cycles = header_.cycles.value_or(latest_end_);
            header_.cores = header_.cores.value_or(needed_cores());
        }
        if (completes_) complete_trace(header_, final_total(), needed_cores(), losses_);
    }

    void write_header() {
        const std::string text = header_text(header_);
        Appender bytes;
        bytes.text(magic);
        bytes.le(major_version);
        bytes.le(header_.minor);
        bytes.le(header_.reserved);
        bytes.le(static_cast<std::uint64_t>(text.size()));
        bytes.text(text);
        if (bytes.size() != reserved_) output_.shift(reserved_, bytes.size());
        output_.patch(0, bytes.span());
    }

    Output& output_;
    const Schema& schema_;
    Losses& losses_;
    Layout layout_;
    bool is_ours_;    ///< the trace was read from a .pccx file
    bool completes_;  ///< adds the mandatory keys that the source lacks
    Header header_;
    Lanes lanes_;
    PayloadWriter payload_;
    std::uint64_t reserved_ = 0;  ///< bytes before the payload
    std::uint64_t latest_end_ = 0;
    std::uint32_t highest_core_ = 0;
};

}  // namespace

bool needs_start_order(const Schema& schema, const Settings& settings) {
    const std::string order = settings.text(options, order_option);
    if (order != "auto") return order == "start";
    return chosen_layout(schema, settings) == Layout::flatbuf && source_layout(schema) != Layout::flatbuf;
}

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<FileWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::pccx
