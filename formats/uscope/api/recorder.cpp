#include "recorder.hpp"

#include <array>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "c_schema.hpp"
#include "domain/utf8.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "uscope/options.hpp"
#include "uscope/wire.hpp"

namespace hwtrace::uscope {

namespace {

const Option& option(std::string_view key) {
    for (const Option& candidate : options)
        if (candidate.key == key) return candidate;
    fail(Failure::internal, "no option " + std::string(key));
}

Settings settings_of(std::uint64_t interval, const uscope_writer_options_t& chosen) {
    Settings settings;
    switch (chosen.compression) {
        case USCOPE_LZ4:
            break;
        case USCOPE_ZSTD:
            settings.set(option(compression_option), "zstd");
            break;
        case USCOPE_UNCOMPRESSED:
            settings.set(option(compression_option), "none");
            break;
        default:
            fail(Failure::usage,
                 "compression " + std::to_string(int{chosen.compression}) + " is unknown; the values are 0 to 2");
    }
    if (chosen.sync_segments) settings.set(option(sync_option), "segment");
    if (interval != 0) settings.set(option(checkpoint_option), std::to_string(interval).append("ps"));
    if (chosen.threads > 1) settings.jobs = chosen.threads;
    return settings;
}

}  // namespace

std::shared_ptr<Recorder> Recorder::open(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t& schema,
                                         std::uint64_t checkpoint_interval, const uscope_writer_options_t& chosen,
                                         ErrorText& error) {
    std::shared_ptr<Recorder> recorder(new Recorder);
    Recorder& r = *recorder;
    r.settings_ = settings_of(checkpoint_interval, chosen);
    if (!declare(schema, dut, r.schema_, error)) return nullptr;
    r.add_plans();
    // Write the preamble to memory first. If the schema cannot be written, this leaves the path untouched.
    const auto nowhere = open_memory_output(path, [](const std::vector<std::byte>&) {});
    try {
        create_live_writer(*nowhere, r.schema_, r.settings_, r.losses_);
        r.check_losses();
    } catch (const Error& failure) {
        error.set(failure.failure() == Failure::limit ? USCOPE_ERROR_LIMIT : USCOPE_ERROR_SCHEMA, "%s", failure.what());
        return nullptr;
    }
    r.output_ = open_visible_output(path, chosen.refuse_existing ? Existing::refuse : Existing::replace);
    r.writer_ = create_live_writer(*r.output_, r.schema_, r.settings_, r.losses_);
    r.writer_->on_checkpoint([&r](StateTable& state) { r.revise(state); });
    r.items_ = &r.writer_->items();
    r.first_string_ = r.writer_->first_string();
    for (const Metadata& fact : r.schema_.metadata())  // long values are in the string table
        r.string_bytes_ += string_entry_size + fact.value.size() + 1;
    r.output_->sync();  // from now on readers can open the file
    return recorder;
}

void Recorder::check_losses() const {
    if (losses_.none()) return;
    const auto& [key, entry] = *losses_.entries().begin();
    constexpr std::size_t longest_subject = 80;  // leaves room for the reason in the error text
    fail(Failure::usage, key.second.substr(0, longest_subject).append(": ").append(entry.first));
}

void Recorder::add_plans() {
    for (const Track& track : schema_.tracks()) {
        const auto first = static_cast<std::uint32_t>(columns_.size());
        bool has_text = false;
        add_columns(track.fields, has_text);
        add_columns(track.properties, has_text);
        const auto fields = static_cast<std::uint32_t>(track.fields.size());
        if (track.kind == Track::Kind::storage) {
            storages_.push_back(
                {track.slots, fields, static_cast<std::uint32_t>(track.properties.size()), first, has_text});
            continue;
        }
        std::uint32_t payload = 0;
        for (std::size_t i = first; i < columns_.size(); ++i)
            payload += columns_[i].width;
        events_.push_back({fields, first, payload, has_text});
    }
}

void Recorder::add_columns(const std::vector<Field>& fields, bool& has_text) {
    for (const Field& field : fields) {
        const bool is_text = field.type == Type::text;
        columns_.push_back({static_cast<std::uint8_t>(slot_width(field.type)), is_text});
        has_text = has_text || is_text;
    }
}

// --- cycles ----------------------------------------------------------------------------------------------------------

uscope_status_t Recorder::begin_cycle(std::uint64_t time) noexcept try {
    if (in_cycle_ || stopped_ || state_ != nullptr) return not_now("uscope_begin_cycle");
    if (time > static_cast<std::uint64_t>(std::numeric_limits<Tick>::max()))
        return wrong("uscope_begin_cycle", USCOPE_ERROR_TIME, "%llu ps; times are below 2^63",
                     static_cast<unsigned long long>(time));
    if (static_cast<Tick>(time) < time_)
        return wrong("uscope_begin_cycle", USCOPE_ERROR_TIME, "%llu ps follows %lld ps; times must not decrease",
                     static_cast<unsigned long long>(time), static_cast<long long>(time_));
    time_ = static_cast<Tick>(time);
    writer_->begin_cycle(time_);
    in_cycle_ = true;
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_begin_cycle");
}

uscope_status_t Recorder::end_cycle() noexcept try {
    if (!accepts()) return not_now("uscope_end_cycle");
    in_cycle_ = false;
    writer_->end_cycle();
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_end_cycle");
}

// --- items -----------------------------------------------------------------------------------------------------------

/// Makes room and records an item that has been checked. The arguments stay in registers, so that the hot path saves
/// none of them.
uscope_status_t Recorder::with_room(Item item, std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
                                    std::uint64_t value) noexcept try {
    writer_->make_room();
    switch (item) {
        case Item::set:
            items_->set_known(storage, slot, field, value);
            break;
        case Item::add:
            items_->add(storage, slot, field, value);
            break;
        case Item::clear:
            items_->clear_known(storage, slot);
            break;
        case Item::set_property:
            items_->set_known_property(storage, field, value);
            break;
    }
    return USCOPE_OK;
} catch (...) {
    constexpr std::array names{"uscope_slot_set", "uscope_slot_add", "uscope_slot_clear", "uscope_prop_set"};
    return stop(names[static_cast<std::size_t>(item)]);
}

uscope_status_t Recorder::set(std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
                              std::uint64_t value) noexcept try {
    if (!accepts()) [[unlikely]]
        return not_now("uscope_slot_set");
    if (!exists(storage, slot)) [[unlikely]]
        return no_slot("uscope_slot_set", storage, slot);
    const StoragePlan& plan = storages_[storage];
    if (field >= plan.fields) [[unlikely]]
        return no_field("uscope_slot_set", storage, "field", field, plan.fields);
    if (plan.has_text && columns_[plan.first_column + field].is_text && value >= strings()) [[unlikely]]
        return no_string("uscope_slot_set", value);
    if (items_->lacks_room()) [[unlikely]]
        return with_room(Item::set, storage, slot, field, value);
    items_->set_known(storage, slot, field, value);
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_slot_set");
}

uscope_status_t Recorder::add(std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
                              std::uint64_t value) noexcept try {
    if (!accepts()) [[unlikely]]
        return not_now("uscope_slot_add");
    if (!exists(storage, slot)) [[unlikely]]
        return no_slot("uscope_slot_add", storage, slot);
    const StoragePlan& plan = storages_[storage];
    if (field >= plan.fields) [[unlikely]]
        return no_field("uscope_slot_add", storage, "field", field, plan.fields);
    if (plan.has_text && columns_[plan.first_column + field].is_text) [[unlikely]]
        return wrong("uscope_slot_add", USCOPE_ERROR_ARGUMENT, "field %d of storage %d is a string", int{field},
                     int{storage});
    if (items_->lacks_room()) [[unlikely]]
        return with_room(Item::add, storage, slot, field, value);
    items_->add(storage, slot, field, value);
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_slot_add");
}

uscope_status_t Recorder::clear(std::uint16_t storage, std::uint16_t slot) noexcept try {
    if (!accepts()) [[unlikely]]
        return not_now("uscope_slot_clear");
    if (!exists(storage, slot)) [[unlikely]]
        return no_slot("uscope_slot_clear", storage, slot);
    if (items_->lacks_room()) [[unlikely]]
        return with_room(Item::clear, storage, slot, 0, 0);
    items_->clear_known(storage, slot);
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_slot_clear");
}

uscope_status_t Recorder::set_property(std::uint16_t storage, std::uint16_t property, std::uint64_t value) noexcept
    try {
    if (!accepts()) [[unlikely]]
        return not_now("uscope_prop_set");
    if (storage >= storages_.size()) [[unlikely]]
        return no_slot("uscope_prop_set", storage, 0);
    const StoragePlan& plan = storages_[storage];
    if (property >= plan.properties) [[unlikely]]
        return no_field("uscope_prop_set", storage, "property", property, plan.properties);
    if (plan.has_text && columns_[plan.first_column + plan.fields + property].is_text && value >= strings())
        [[unlikely]]
        return no_string("uscope_prop_set", value);
    if (items_->lacks_room()) [[unlikely]]
        return with_room(Item::set_property, storage, 0, property, value);
    items_->set_known_property(storage, property, value);
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_prop_set");
}

uscope_status_t Recorder::event(std::uint16_t type, const void* payload, std::optional<std::size_t> size) noexcept try {
    if (!accepts()) [[unlikely]]
        return not_now("uscope_event");
    if (type >= events_.size()) [[unlikely]]
        return no_event("uscope_event", type);
    const EventPlan& plan = events_[type];
    if (size && *size != plan.payload) [[unlikely]]
        return wrong("uscope_event", USCOPE_ERROR_ARGUMENT, "event type %d has a payload of %u bytes, not %zu",
                     int{type}, plan.payload, *size);
    if (payload == nullptr && plan.payload != 0) [[unlikely]]
        return wrong("uscope_event", USCOPE_ERROR_NULL, "the payload is NULL");
    const auto* from = static_cast<const std::byte*>(payload);
    if (plan.has_text) {
        const std::byte* text_at = from;
        for (const Column& column : std::span(columns_).subspan(plan.first_column, plan.fields)) {
            if (column.is_text && load_le<std::uint32_t>(text_at) >= strings()) [[unlikely]]
                return no_string("uscope_event", load_le<std::uint32_t>(text_at));
            text_at += column.width;
        }
    }
    if (items_->lacks_room()) [[unlikely]]
        writer_->make_room();
    std::byte* const to = items_->frame().event(type, plan.payload);
    if (plan.payload != 0) std::memcpy(to, from, plan.payload);
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_event");
}

uscope_status_t Recorder::event_values(std::uint16_t type, const std::uint64_t* values, std::size_t count) noexcept
    try {
    if (!accepts()) [[unlikely]]
        return not_now("uscope_event_values");
    if (type >= events_.size()) [[unlikely]]
        return no_event("uscope_event_values", type);
    const EventPlan& plan = events_[type];
    if (count != plan.fields) [[unlikely]]
        return wrong("uscope_event_values", USCOPE_ERROR_ARGUMENT, "event type %d has %u fields, not %zu", int{type},
                     plan.fields, count);
    if (values == nullptr && count != 0) [[unlikely]]
        return wrong("uscope_event_values", USCOPE_ERROR_NULL, "the values are NULL");
    const std::span columns = std::span(columns_).subspan(plan.first_column, plan.fields);
    if (plan.has_text)
        for (std::size_t i = 0; i < count; ++i)
            if (columns[i].is_text && values[i] >= strings()) [[unlikely]]
                return no_string("uscope_event_values", values[i]);
    if (items_->lacks_room()) [[unlikely]]
        writer_->make_room();
    std::byte* at = items_->frame().event(type, plan.payload);
    for (const Column& column : columns) {
        store_le(at, *values++);  // the next field overwrites the excess
        at += column.width;
    }
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_event_values");
}

std::int64_t Recorder::string(const char* text) noexcept try {
    if (stopped_) {
        not_now("uscope_string");
        return USCOPE_NO_STRING;
    }
    if (text == nullptr) {
        wrong("uscope_string", USCOPE_ERROR_NULL, "the string is NULL");
        return USCOPE_NO_STRING;
    }
    const std::string_view view = text;
    if (!is_utf8(view)) {
        wrong("uscope_string", USCOPE_ERROR_ARGUMENT, "the string is not UTF-8 from byte %zu on", find_not_utf8(view));
        return USCOPE_NO_STRING;
    }
    // These are the default limits of readers.
    const std::uint64_t longest = settings_.limits.string, most = settings_.limits.block;
    const std::uint64_t bytes = string_entry_size + view.size() + 1;
    if (view.size() > longest) {
        wrong("uscope_string", USCOPE_ERROR_LIMIT, "a string of %zu bytes; the limit is %llu", view.size(),
              static_cast<unsigned long long>(longest));
        return USCOPE_NO_STRING;
    }
    if (string_bytes_ > most || bytes > most - string_bytes_) {
        for (StringId known = 0; known < schema_.string_count(); ++known)
            if (schema_.text(known) == view) return static_cast<std::int64_t>(first_string_ + known);
        wrong("uscope_string", USCOPE_ERROR_LIMIT, "all strings together take more than %llu bytes",
              static_cast<unsigned long long>(most));
        return USCOPE_NO_STRING;
    }
    const std::size_t before = schema_.string_count();
    const StringId id = schema_.intern(view);
    if (schema_.string_count() != before) string_bytes_ += bytes;
    return static_cast<std::int64_t>(first_string_ + id);
} catch (...) {
    remember(current_exception_text("uscope_string"));
    return USCOPE_NO_STRING;
}

// --- segments --------------------------------------------------------------------------------------------------------

uscope_status_t Recorder::flush_segment() noexcept try {
    if (in_cycle_ || stopped_ || state_ != nullptr) return not_now("uscope_flush_segment");
    writer_->end_segment();
    return USCOPE_OK;
} catch (...) {
    return stop("uscope_flush_segment");
}

uscope_status_t Recorder::on_checkpoint(uscope_writer_t* handle, uscope_checkpoint_fn callback,
                                        void* user_data) noexcept {
    if (state_ != nullptr) return not_now("uscope_set_checkpoint_callback");
    handle_ = handle;
    callback_ = callback;
    user_data_ = user_data;
    return USCOPE_OK;
}

void Recorder::revise(StateTable& state) noexcept {
    if (callback_ == nullptr) return;
    state_ = &state;
    try {
        callback_(handle_, user_data_);
    } catch (...) {  // a callback in C++ may throw
        remember(current_exception_text("the checkpoint callback"));
    }
    state_ = nullptr;
}

uscope_status_t Recorder::checkpoint_storage(std::uint16_t storage, const std::uint8_t* mask, const void* data,
                                             std::uint32_t valid) noexcept {
    constexpr const char* where = "uscope_checkpoint_storage";
    if (state_ == nullptr) return wrong(where, USCOPE_ERROR_ORDER, "may be called only by the checkpoint callback");
    if (storage >= storages_.size()) return no_slot(where, storage, 0);
    const std::uint32_t slots = storages_[storage].slots;
    const std::span<std::byte> to_mask = state_->mutable_mask(storage);
    const bool sparse = schema_.tracks()[storage].sparse;
    if (sparse && mask == nullptr && slots != 0)
        return wrong(where, USCOPE_ERROR_NULL, "the mask of a sparse storage is NULL");
    if (!sparse && mask != nullptr)
        return wrong(where, USCOPE_ERROR_ARGUMENT, "storage %d is dense: its mask must be NULL", int{storage});
    std::uint32_t expected = slots;
    if (sparse) {
        expected = 0;
        for (std::size_t i = 0; i < to_mask.size(); ++i)
            expected += static_cast<std::uint32_t>(std::popcount(unsigned{mask[i]}));
        if (slots % 8 != 0 && mask[to_mask.size() - 1] >> (slots % 8) != 0)
            return wrong(where, USCOPE_ERROR_RANGE, "the mask has bits beyond the %u slots", slots);
    }
    if (valid != expected)
        return wrong(where, USCOPE_ERROR_ARGUMENT, "expected %u valid slots, not %u", expected, valid);
    const std::size_t size = state_->slot_size(storage);
    if (data == nullptr && valid * size != 0) return wrong(where, USCOPE_ERROR_NULL, "the slots are NULL");

    const auto* from = static_cast<const std::byte*>(data);
    if (std::uint64_t value = 0; !are_strings(storage, {from, valid * size}, value)) return no_string(where, value);

    const std::span<std::byte> to = state_->mutable_slots(storage);
    if (!sparse) {
        if (!to.empty()) std::memcpy(to.data(), data, to.size());
        return USCOPE_OK;
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (size == 0) break;
        if ((mask[slot / 8] >> (slot % 8) & 1) != 0) {
            std::memcpy(to.data() + slot * size, from, size);
            from += size;
        } else {
            std::memset(to.data() + slot * size, 0, size);
        }
    }
    if (!to_mask.empty()) std::memcpy(to_mask.data(), mask, to_mask.size());
    return USCOPE_OK;
}

bool Recorder::are_strings(std::uint16_t storage, std::span<const std::byte> slots,
                           std::uint64_t& value) const noexcept {
    const StoragePlan& plan = storages_[storage];
    if (!plan.has_text) return true;
    const std::span columns = std::span(columns_).subspan(plan.first_column, plan.fields);
    for (const std::byte* at = slots.data(); at != slots.data() + slots.size();)
        for (const Column& column : columns) {
            if (column.is_text) value = load_le<std::uint32_t>(at);
            // 0 is also the value of a field that was never set.
            if (column.is_text && value != 0 && value >= strings()) return false;
            at += column.width;
        }
    return true;
}

uscope_status_t Recorder::close() noexcept {
    if (state_ != nullptr) return not_now("uscope_writer_close");
    if (!stopped_) {
        callback_ = nullptr;  // no further segment begins
        try {
            if (in_cycle_) end_cycle();
            if (!stopped_) {
                writer_->finish();
                output_->commit();
            }
        } catch (...) {
            stop("uscope_writer_close");
        }
    }
    if (errors_ != 0) last_error().set(status(), "%s", text());
    return status();
}

// --- errors ----------------------------------------------------------------------------------------------------------

uscope_status_t Recorder::remember(const ErrorText& error) noexcept {
    if (errors_++ == 0) first_error_ = error;
    last_error() = error;
    return error.status();
}

uscope_status_t Recorder::wrong(const char* where, uscope_status_t status, const char* format, ...) noexcept {
    char text[400];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ErrorText error;
    error.set(status, "%s: %s", where, text);
    return remember(error);
}

uscope_status_t Recorder::stop(const char* where) noexcept {
    const ErrorText error = current_exception_text(where);
    if (!stopped_) stopping_error_ = error;
    stopped_ = true;
    in_cycle_ = false;
    return remember(error);
}

uscope_status_t Recorder::not_now(const char* where) noexcept {
    if (state_ != nullptr) return wrong(where, USCOPE_ERROR_ORDER, "inside the checkpoint callback");
    if (stopped_) return wrong(where, stopping_error_.status(), "writing failed earlier");
    if (in_cycle_) return wrong(where, USCOPE_ERROR_ORDER, "inside a cycle");
    return wrong(where, USCOPE_ERROR_ORDER, "outside a cycle");
}

uscope_status_t Recorder::no_slot(const char* where, std::uint16_t storage, std::uint16_t slot) noexcept {
    if (storage >= storages_.size())
        return wrong(where, USCOPE_ERROR_RANGE, "storage %d does not exist (count: %zu)", int{storage},
                     storages_.size());
    return wrong(where, USCOPE_ERROR_RANGE, "slot %d of storage %d (%s) does not exist (count: %u)", int{slot},
                 int{storage}, schema_.tracks()[storage].name.c_str(), storages_[storage].slots);
}

uscope_status_t Recorder::no_field(const char* where, std::uint16_t storage, const char* what, std::size_t number,
                                   std::size_t count) noexcept {
    return wrong(where, USCOPE_ERROR_RANGE, "%s %zu of storage %d (%s) does not exist (count: %zu)", what, number,
                 int{storage}, schema_.tracks()[storage].name.c_str(), count);
}

uscope_status_t Recorder::no_string(const char* where, std::uint64_t value) noexcept {
    return wrong(where, USCOPE_ERROR_RANGE, "string %llu is unknown: uscope_string() has not returned this value",
                 static_cast<unsigned long long>(value));
}

uscope_status_t Recorder::no_event(const char* where, std::uint16_t type) noexcept {
    return wrong(where, USCOPE_ERROR_RANGE, "event type %d does not exist (count: %zu)", int{type}, events_.size());
}

const char* Recorder::text() const noexcept {
    if (errors_ < 2) return main_error().text();
    shown_.set(status(), "%s (and %llu more)", main_error().text(), static_cast<unsigned long long>(errors_ - 1));
    return shown_.text();
}

}  // namespace hwtrace::uscope
