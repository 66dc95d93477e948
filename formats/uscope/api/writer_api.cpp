#include <utility>

#include "error_text.hpp"
#include "handles.hpp"
#include "hwtrace/uscope.h"
#include "recorder.hpp"

struct uscope_writer : hwtrace::uscope::Handle<hwtrace::uscope::Recorder> {};

namespace hwtrace::uscope {
namespace {

[[gnu::cold, gnu::noinline]] uscope_status_t unusable(const uscope_writer_t* w, const char* where) noexcept {
    const bool null = w == nullptr;
    last_error().set(null ? USCOPE_ERROR_NULL : USCOPE_ERROR_CLOSED, "%s: the writer %s", where,
                     null ? "is NULL" : "was closed");
    return last_error().status();
}

/// Calls `call` with the writer's recorder if the writer is open. Otherwise returns an error.
template <typename Call>
inline uscope_status_t with(const uscope_writer_t* w, const char* where, Call call) noexcept {
    if (w == nullptr || w->body == nullptr) [[unlikely]]
        return unusable(w, where);
    return call(*w->body);
}

uscope_writer_t* open(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                      std::uint64_t interval, const uscope_writer_options_t* options) noexcept {
    constexpr const char* where = "uscope_writer_open";
    if (path == nullptr || schema == nullptr) {
        last_error().set(USCOPE_ERROR_NULL, "%s: the %s is NULL", where, path == nullptr ? "path" : "schema");
        return nullptr;
    }
    try {
        ErrorText error;
        auto recorder = Recorder::open(path, dut, *schema, interval,
                                       options == nullptr ? uscope_writer_options_t{} : *options, error);
        if (recorder != nullptr) return handles_of<uscope_writer>().open(std::move(recorder));
        last_error().set(error.status(), "%s: %s", where, error.text());
    } catch (...) {
        last_error() = current_exception_text(where);
    }
    return nullptr;
}

}  // namespace
}  // namespace hwtrace::uscope

using namespace hwtrace::uscope;

extern "C" {

uscope_writer_t* uscope_writer_open(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                    uint64_t checkpoint_interval_ps) {
    return open(path, dut, schema, checkpoint_interval_ps, nullptr);
}

uscope_writer_t* uscope_writer_open_with(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                         uint64_t checkpoint_interval_ps, const uscope_writer_options_t* options) {
    return open(path, dut, schema, checkpoint_interval_ps, options);
}

uscope_status_t uscope_writer_close(uscope_writer_t* w) {
    return with(w, "uscope_writer_close", [w](Recorder& r) {
        const bool stays = r.in_callback();
        const uscope_status_t status = r.close();
        if (!stays) handles_of<uscope_writer>().close(*w);
        return status;
    });
}

uscope_status_t uscope_writer_status(const uscope_writer_t* w) {
    return with(w, "uscope_writer_status", [](const Recorder& r) { return r.status(); });
}

bool uscope_writer_stopped(const uscope_writer_t* w) {
    bool stopped = true;
    with(w, "uscope_writer_stopped", [&](const Recorder& r) {
        stopped = r.stopped();
        return USCOPE_OK;
    });
    return stopped;
}

const char* uscope_writer_error(const uscope_writer_t* w) {
    if (w != nullptr && w->body != nullptr) return w->body->text();
    unusable(w, "uscope_writer_error");
    return last_error().text();
}

uscope_status_t uscope_begin_cycle(uscope_writer_t* w, uint64_t time_ps) {
    return with(w, "uscope_begin_cycle", [=](Recorder& r) { return r.begin_cycle(time_ps); });
}

uscope_status_t uscope_end_cycle(uscope_writer_t* w) {
    return with(w, "uscope_end_cycle", [](Recorder& r) { return r.end_cycle(); });
}

uscope_status_t uscope_slot_set(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field,
                                uint64_t value) {
    return with(w, "uscope_slot_set", [=](Recorder& r) { return r.set(storage_id, slot, field, value); });
}

uscope_status_t uscope_slot_clear(uscope_writer_t* w, uint16_t storage_id, uint16_t slot) {
    return with(w, "uscope_slot_clear", [=](Recorder& r) { return r.clear(storage_id, slot); });
}

uscope_status_t uscope_slot_add(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field,
                                uint64_t value) {
    return with(w, "uscope_slot_add", [=](Recorder& r) { return r.add(storage_id, slot, field, value); });
}

uscope_status_t uscope_prop_set(uscope_writer_t* w, uint16_t storage_id, uint16_t property, uint64_t value) {
    return with(w, "uscope_prop_set", [=](Recorder& r) { return r.set_property(storage_id, property, value); });
}

uscope_status_t uscope_event(uscope_writer_t* w, uint16_t event_type_id, const void* payload) {
    return with(w, "uscope_event", [=](Recorder& r) { return r.event(event_type_id, payload, std::nullopt); });
}

uscope_status_t uscope_event_sized(uscope_writer_t* w, uint16_t event_type_id, const void* payload, size_t size) {
    return with(w, "uscope_event_sized", [=](Recorder& r) { return r.event(event_type_id, payload, size); });
}

uscope_status_t uscope_event_values(uscope_writer_t* w, uint16_t event_type_id, const uint64_t* values, size_t count) {
    return with(w, "uscope_event_values", [=](Recorder& r) { return r.event_values(event_type_id, values, count); });
}

int64_t uscope_string(uscope_writer_t* w, const char* text) {
    std::int64_t string = USCOPE_NO_STRING;
    with(w, "uscope_string", [&](Recorder& r) {
        string = r.string(text);
        return USCOPE_OK;
    });
    return string;
}

uscope_status_t uscope_flush_segment(uscope_writer_t* w) {
    return with(w, "uscope_flush_segment", [](Recorder& r) { return r.flush_segment(); });
}

uscope_status_t uscope_set_checkpoint_callback(uscope_writer_t* w, uscope_checkpoint_fn fn, void* user_data) {
    return with(w, "uscope_set_checkpoint_callback", [=](Recorder& r) { return r.on_checkpoint(w, fn, user_data); });
}

uscope_status_t uscope_checkpoint_storage(uscope_writer_t* w, uint16_t storage_id, const uint8_t* valid_mask,
                                          const void* slot_data, uint32_t num_valid_slots) {
    return with(w, "uscope_checkpoint_storage",
                [=](Recorder& r) { return r.checkpoint_storage(storage_id, valid_mask, slot_data, num_valid_slots); });
}

}  // extern "C"
