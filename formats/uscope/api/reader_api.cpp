#include <bit>
#include <cstdarg>
#include <cstring>
#include <utility>

#include "error_text.hpp"
#include "handles.hpp"
#include "hwtrace/uscope.h"
#include "trace_file.hpp"

struct uscope_reader : hwtrace::uscope::Handle<hwtrace::uscope::TraceFile> {};
struct uscope_state : hwtrace::uscope::Handle<hwtrace::uscope::CState> {};
struct uscope_event_iter : hwtrace::uscope::Handle<hwtrace::uscope::ItemRange> {};
struct uscope_item_iter : hwtrace::uscope::Handle<hwtrace::uscope::ItemRange> {};

namespace hwtrace::uscope {
namespace {

/// Returns the handle's body, or null after setting the last error.
template <typename Body>
Body* body_of(const Handle<Body>* handle, const char* where) noexcept {
    if (handle != nullptr && handle->body != nullptr) [[likely]]
        return handle->body.get();
    const bool null = handle == nullptr;
    last_error().set(null ? USCOPE_ERROR_NULL : USCOPE_ERROR_CLOSED, "%s: the handle %s", where,
                     null ? "is NULL" : "was closed");
    return nullptr;
}

/// Does the same as body_of(), but resets the last error first. Used for calls whose result does not show whether they
/// failed.
template <typename Body>
Body* enter(const Handle<Body>* handle, const char* where) noexcept {
    last_error().clear();
    return body_of(handle, where);
}

[[gnu::format(printf, 3, 4)]] void wrong(TraceFile* file, uscope_status_t status, const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    last_error().set_list(status, format, arguments);
    va_end(arguments);
    if (file != nullptr) file->error = last_error();
}

/// Records the exception being handled as the last error.
void failed(TraceFile* file, const char* where) noexcept {
    last_error() = current_exception_text(where);
    if (file != nullptr) file->error = last_error();
}

template <typename Opaque>
uscope_status_t close(Opaque* handle, const char* where) noexcept {
    if (body_of(handle, where) == nullptr) return last_error().status();
    handles_of<Opaque>().close(*handle);
    return USCOPE_OK;
}

template <typename Opaque>
Opaque* open_range(uscope_reader_t* r, std::uint64_t begin, std::uint64_t end, const char* where) noexcept {
    TraceFile* file = enter(r, where);
    if (file == nullptr) return nullptr;
    try {
        return handles_of<Opaque>().open(std::make_shared<ItemRange>(r->body, begin, end));
    } catch (...) {
        failed(file, where);
        return nullptr;
    }
}

/// Calls `next` with the range if both the range and its file are open. Otherwise returns false.
template <typename Next>
bool next_of(ItemRange* range, const char* where, Next next) noexcept {
    if (range == nullptr) return false;
    if (!range->is_open()) {
        wrong(nullptr, USCOPE_ERROR_CLOSED, "%s: its reader was closed", where);
        return false;
    }
    try {
        return next(*range);
    } catch (...) {
        failed(range->file().get(), where);
        return false;
    }
}

/// Returns the shape of a storage in a state, or null after setting the last error.
const StorageShape* shape_of(const uscope_state_t* s, std::uint16_t storage, const char* where) noexcept {
    const CState* state = enter(s, where);
    if (state == nullptr) return nullptr;
    if (storage < state->shapes->size()) return &(*state->shapes)[storage];
    wrong(nullptr, USCOPE_ERROR_RANGE, "%s: storage %d does not exist (count: %zu)", where, int{storage},
          state->shapes->size());
    return nullptr;
}

/// Returns true if `number` < `count`; otherwise sets the last error. `file` keeps the error too. `file` is null for
/// states, which belong to no reader.
bool is_below(TraceFile* file, std::size_t number, std::size_t count, const char* what, const char* where) noexcept {
    if (number < count) return true;
    wrong(file, USCOPE_ERROR_RANGE, "%s: %s %zu does not exist (count: %zu)", where, what, number, count);
    return false;
}

/// Returns the summary, or null if it is missing (no error) or cannot be read.
const Summary* summary_of(const uscope_reader_t* r, const char* where) noexcept {
    TraceFile* file = enter(r, where);
    if (file == nullptr) return nullptr;
    try {
        const Summary* summary = file->summary();
        if (summary == nullptr && file->has_summary())
            wrong(file, USCOPE_ERROR_FORMAT, "%s: the summary cannot be read", where);
        return summary;
    } catch (...) {
        failed(file, where);
        return nullptr;
    }
}

}  // namespace
}  // namespace hwtrace::uscope

using namespace hwtrace;
using namespace hwtrace::uscope;

extern "C" {

uscope_reader_t* uscope_reader_open(const char* path) {
    return uscope_reader_open_with(path, nullptr);
}

uscope_reader_t* uscope_reader_open_with(const char* path, const uscope_reader_options_t* options) {
    constexpr const char* where = "uscope_reader_open";
    if (path == nullptr) {
        wrong(nullptr, USCOPE_ERROR_NULL, "%s: the path is NULL", where);
        return nullptr;
    }
    try {
        return handles_of<uscope_reader>().open(
            std::make_shared<TraceFile>(path, options == nullptr ? uscope_reader_options_t{} : *options));
    } catch (...) {
        failed(nullptr, where);
        return nullptr;
    }
}

uscope_status_t uscope_reader_close(uscope_reader_t* r) {
    return close(r, "uscope_reader_close");
}

const char* uscope_reader_error(const uscope_reader_t* r) {
    const TraceFile* file = body_of(r, "uscope_reader_error");
    return file != nullptr ? file->error.text() : last_error().text();
}

// --- metadata --------------------------------------------------------------------------------------------------------

const uscope_header_t* uscope_header(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_header");
    return file != nullptr ? &file->header() : nullptr;
}

const uscope_dut_desc_t* uscope_dut_desc(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_dut_desc");
    return file != nullptr ? &file->c_schema().dut() : nullptr;
}

const uscope_schema_t* uscope_schema(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_schema");
    return file != nullptr ? &file->c_schema().schema() : nullptr;
}

const char* uscope_scope_protocol(const uscope_reader_t* r, uint16_t scope_id) {
    TraceFile* file = enter(r, "uscope_scope_protocol");
    if (file == nullptr) return nullptr;
    const uscope_schema_t& schema = file->c_schema().schema();
    if (scope_id < schema.num_scopes) return schema.scopes[scope_id].protocol;
    wrong(file, USCOPE_ERROR_RANGE, "uscope_scope_protocol: scope %d does not exist (count: %zu)", int{scope_id},
          schema.num_scopes);
    return nullptr;
}

const char* uscope_dut_property(const uscope_reader_t* r, const char* key) {
    TraceFile* file = enter(r, "uscope_dut_property");
    if (file == nullptr) return nullptr;
    if (key == nullptr) {
        wrong(file, USCOPE_ERROR_NULL, "uscope_dut_property: the key is NULL");
        return nullptr;
    }
    const uscope_dut_desc_t& dut = file->c_schema().dut();
    for (const uscope_dut_property_t& property : std::span(dut.properties, dut.num_properties))
        if (std::strcmp(property.key, key) == 0) return property.value;
    return nullptr;
}

uint64_t uscope_checkpoint_interval(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_checkpoint_interval");
    return file != nullptr ? file->reader().preamble().checkpoint_interval : 0;
}

bool uscope_is_complete(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_is_complete");
    return file != nullptr && file->reader().header().complete();
}

size_t uscope_string_count(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_string_count");
    return file != nullptr ? file->reader().string_count() : 0;
}

const char* uscope_string_text(const uscope_reader_t* r, uint64_t index, size_t* length) {
    if (length != nullptr) *length = 0;
    TraceFile* file = enter(r, "uscope_string_text");
    if (file == nullptr) return nullptr;
    const std::size_t count = file->reader().string_count();
    if (index >= count) {
        wrong(file, USCOPE_ERROR_RANGE, "uscope_string_text: string %llu does not exist (count: %zu)",
              static_cast<unsigned long long>(index), count);
        return nullptr;
    }
    const std::string_view text = file->reader().string(static_cast<std::size_t>(index));
    if (length != nullptr) *length = text.size();
    return text.data();  // from a std::string, so a NUL follows
}

size_t uscope_finding_count(const uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_finding_count");
    return file != nullptr ? file->findings().size() : 0;
}

const char* uscope_finding(const uscope_reader_t* r, size_t index) {
    TraceFile* file = enter(r, "uscope_finding");
    if (file == nullptr || !is_below(file, index, file->findings().size(), "finding", "uscope_finding")) return nullptr;
    return file->findings()[index].c_str();
}

// --- summary ---------------------------------------------------------------------------------------------------------

const uscope_summary_t* uscope_summary(const uscope_reader_t* r) {
    return summary_of(r, "uscope_summary") != nullptr ? &r->body->c_summary() : nullptr;
}

uint32_t uscope_summary_levels(const uscope_reader_t* r) {
    const Summary* summary = summary_of(r, "uscope_summary_levels");
    return summary != nullptr ? static_cast<std::uint32_t>(summary->density.size()) : 0;
}

const void* uscope_summary_data(const uscope_reader_t* r, uint32_t level, uint32_t* out_count) {
    constexpr const char* where = "uscope_summary_data";
    if (out_count != nullptr) *out_count = 0;
    const Summary* summary = summary_of(r, where);
    if (summary == nullptr || !is_below(r->body.get(), level, summary->density.size(), "level", where)) return nullptr;
    if (out_count != nullptr) *out_count = static_cast<std::uint32_t>(summary->density[level].size());
    return summary->density[level].data();
}

bool uscope_summary_counter(const uscope_reader_t* r, uint32_t counter, const char** name, uint16_t* storage_id,
                            uint32_t* out_levels) {
    constexpr const char* where = "uscope_summary_counter";
    const Summary* summary = summary_of(r, where);
    if (summary == nullptr || !is_below(r->body.get(), counter, summary->counters.size(), "counter", where))
        return false;
    const Summary::Counter& found = summary->counters[counter];
    if (name != nullptr) *name = found.name.c_str();
    if (storage_id != nullptr) *storage_id = found.storage;
    if (out_levels != nullptr) *out_levels = static_cast<std::uint32_t>(r->body->buckets(counter).size());
    return true;
}

const uscope_bucket_t* uscope_summary_counter_data(const uscope_reader_t* r, uint32_t counter, uint32_t level,
                                                   uint32_t* out_count) {
    constexpr const char* where = "uscope_summary_counter_data";
    if (out_count != nullptr) *out_count = 0;
    const Summary* summary = summary_of(r, where);
    if (summary == nullptr || !is_below(r->body.get(), counter, summary->counters.size(), "counter", where))
        return nullptr;
    const auto& levels = r->body->buckets(counter);
    if (!is_below(r->body.get(), level, levels.size(), "level", where)) return nullptr;
    if (out_count != nullptr) *out_count = static_cast<std::uint32_t>(levels[level].size());
    return levels[level].data();
}

// --- state -----------------------------------------------------------------------------------------------------------

uscope_state_t* uscope_state_at(uscope_reader_t* r, uint64_t time_ps) {
    TraceFile* file = enter(r, "uscope_state_at");
    if (file == nullptr) return nullptr;
    try {
        return handles_of<uscope_state>().open(file->state_at(time_ps));
    } catch (...) {
        failed(file, "uscope_state_at");
        return nullptr;
    }
}

uscope_status_t uscope_state_free(uscope_state_t* s) {
    return close(s, "uscope_state_free");
}

bool uscope_slot_valid(const uscope_state_t* s, uint16_t storage_id, uint16_t slot) {
    constexpr const char* where = "uscope_slot_valid";
    const StorageShape* shape = shape_of(s, storage_id, where);
    if (shape == nullptr || !is_below(nullptr, slot, shape->slots, "slot", where)) return false;
    return s->body->table.valid(storage_id, slot);
}

uint64_t uscope_slot_field(const uscope_state_t* s, uint16_t storage_id, uint16_t slot, uint16_t field) {
    constexpr const char* where = "uscope_slot_field";
    const StorageShape* shape = shape_of(s, storage_id, where);
    if (shape == nullptr || !is_below(nullptr, slot, shape->slots, "slot", where) ||
        !is_below(nullptr, field, shape->fields, "field", where))
        return 0;
    return s->body->table.value(storage_id, slot, field);
}

uint64_t uscope_property(const uscope_state_t* s, uint16_t storage_id, uint16_t property) {
    constexpr const char* where = "uscope_property";
    const StorageShape* shape = shape_of(s, storage_id, where);
    if (shape == nullptr || !is_below(nullptr, property, shape->properties, "property", where)) return 0;
    return s->body->table.property(storage_id, property);
}

uint32_t uscope_storage_occupancy(const uscope_state_t* s, uint16_t storage_id) {
    const StorageShape* shape = shape_of(s, storage_id, "uscope_storage_occupancy");
    if (shape == nullptr) return 0;
    if (!shape->sparse) return shape->slots;
    std::uint32_t count = 0;
    for (const std::byte byte : s->body->table.mask(storage_id))
        count += static_cast<std::uint32_t>(std::popcount(std::to_integer<unsigned>(byte)));
    return count;
}

// --- events and items ------------------------------------------------------------------------------------------------

uscope_event_iter_t* uscope_events_in_range(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps) {
    return open_range<uscope_event_iter>(r, time_start_ps, time_end_ps, "uscope_events_in_range");
}

bool uscope_event_next(uscope_event_iter_t* it, uint64_t* time_ps, uint16_t* event_type_id, const void** payload) {
    constexpr const char* where = "uscope_event_next";
    return next_of(enter(it, where), where, [&](ItemRange& range) {
        uscope_item_t item;
        if (!range.next_event(item)) return false;
        if (time_ps != nullptr) *time_ps = item.time_ps;
        if (event_type_id != nullptr) *event_type_id = item.id;
        if (payload != nullptr) *payload = item.payload;
        return true;
    });
}

uscope_status_t uscope_event_iter_free(uscope_event_iter_t* it) {
    return close(it, "uscope_event_iter_free");
}

uscope_item_iter_t* uscope_items_in_range(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps) {
    return open_range<uscope_item_iter>(r, time_start_ps, time_end_ps, "uscope_items_in_range");
}

bool uscope_item_next(uscope_item_iter_t* it, uscope_item_t* item) {
    constexpr const char* where = "uscope_item_next";
    ItemRange* range = enter(it, where);
    if (range != nullptr && item == nullptr) {
        wrong(range->file().get(), USCOPE_ERROR_NULL, "%s: the item is NULL", where);
        return false;
    }
    return next_of(range, where, [item](ItemRange& open) { return open.next(*item); });
}

uscope_status_t uscope_item_iter_free(uscope_item_iter_t* it) {
    return close(it, "uscope_item_iter_free");
}

bool uscope_poll_new_segments(uscope_reader_t* r) {
    TraceFile* file = enter(r, "uscope_poll_new_segments");
    if (file == nullptr) return false;
    try {
        return file->poll();
    } catch (...) {
        failed(file, "uscope_poll_new_segments");
        return false;
    }
}

}  // extern "C"
