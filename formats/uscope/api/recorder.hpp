// formats/uscope/api/recorder.hpp - the implementation of a C writer: checks each call and passes it on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "error_text.hpp"
#include "hwtrace/uscope.h"
#include "io/output.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "uscope/item_writer.hpp"
#include "uscope/writer.hpp"

namespace hwtrace::uscope {

/// Records one trace. A wrong call changes nothing, and its error is kept. Only open() throws.
class Recorder {
public:
    /// Creates the file. Throws Error if that fails. Returns null, with the reason in `error`, if the schema cannot be
    /// written; the path has not been touched then.
    static std::shared_ptr<Recorder> open(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t& schema,
                                          std::uint64_t checkpoint_interval, const uscope_writer_options_t& chosen,
                                          ErrorText& error);

    uscope_status_t begin_cycle(std::uint64_t time) noexcept;
    uscope_status_t end_cycle() noexcept;
    uscope_status_t set(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value) noexcept;
    uscope_status_t add(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value) noexcept;
    uscope_status_t clear(std::uint16_t storage, std::uint16_t slot) noexcept;
    uscope_status_t set_property(std::uint16_t storage, std::uint16_t property, std::uint64_t value) noexcept;
    /// `size`, if given, must be the size of the payload.
    uscope_status_t event(std::uint16_t type, const void* payload, std::optional<std::size_t> size) noexcept;
    uscope_status_t event_values(std::uint16_t type, const std::uint64_t* values, std::size_t count) noexcept;
    std::int64_t string(const char* text) noexcept;
    uscope_status_t flush_segment() noexcept;
    /// `handle` is passed to the callback.
    uscope_status_t on_checkpoint(uscope_writer_t* handle, uscope_checkpoint_fn callback, void* user_data) noexcept;
    uscope_status_t checkpoint_storage(std::uint16_t storage, const std::uint8_t* mask, const void* data,
                                       std::uint32_t valid) noexcept;
    /// Closes the file and returns status(); nothing may be called afterwards. Inside a callback, close() does nothing
    /// and returns USCOPE_ERROR_ORDER.
    uscope_status_t close() noexcept;
    bool in_callback() const noexcept { return state_ != nullptr; }

    /// Returns true if a write has failed. Nothing more is recorded after that.
    bool stopped() const noexcept { return stopped_; }
    /// Returns the status of the main error: the error that stopped writing, otherwise the first error.
    uscope_status_t status() const noexcept { return main_error().status(); }
    /// Returns the text of the main error and the number of other errors.
    const char* text() const noexcept;

private:
    struct Column {
        std::uint8_t width = 0;
        bool is_text = false;
    };
    struct alignas(32) StoragePlan {  // a power of two makes ids cheap to check
        std::uint32_t slots = 0, fields = 0, properties = 0;
        std::uint32_t first_column = 0;  ///< properties follow the fields
        bool has_text = false;
    };
    struct EventPlan {
        std::uint32_t fields = 0;
        std::uint32_t first_column = 0;
        std::uint32_t payload = 0;
        bool has_text = false;
    };

    Recorder() = default;
    void add_plans();
    void add_columns(const std::vector<Field>& fields, bool& has_text);
    void check_losses() const;

    /// Returns true if items may be recorded now.
    bool accepts() const noexcept { return in_cycle_; }
    bool exists(std::uint16_t storage, std::uint16_t slot) const noexcept {
        return storage < storages_.size() && slot < storages_[storage].slots;
    }
    std::uint64_t strings() const noexcept { return first_string_ + schema_.string_count(); }
    enum class Item : std::uint8_t { set, add, clear, set_property };
    [[gnu::cold, gnu::noinline]] uscope_status_t with_room(Item item, std::uint16_t storage, std::uint16_t slot,
                                                           std::uint16_t field, std::uint64_t value) noexcept;
    void revise(StateTable& state) noexcept;

    // Cold paths: each keeps the failure and returns its status.
    [[gnu::format(printf, 4, 5)]] uscope_status_t wrong(const char* where, uscope_status_t status, const char* format,
                                                        ...) noexcept;
    uscope_status_t remember(const ErrorText& error) noexcept;
    uscope_status_t stop(const char* where) noexcept;
    const ErrorText& main_error() const noexcept { return stopped_ ? stopping_error_ : first_error_; }
    [[gnu::cold, gnu::noinline]] uscope_status_t not_now(const char* where) noexcept;
    [[gnu::cold, gnu::noinline]] uscope_status_t no_slot(const char* where, std::uint16_t storage,
                                                         std::uint16_t slot) noexcept;
    [[gnu::cold, gnu::noinline]] uscope_status_t no_field(const char* where, std::uint16_t storage, const char* what,
                                                          std::size_t number, std::size_t count) noexcept;
    [[gnu::cold, gnu::noinline]] uscope_status_t no_string(const char* where, std::uint64_t value) noexcept;
    /// Returns true if every string in these slots is known; otherwise sets `value` to the first unknown one.
    bool are_strings(std::uint16_t storage, std::span<const std::byte> slots, std::uint64_t& value) const noexcept;
    [[gnu::cold, gnu::noinline]] uscope_status_t no_event(const char* where, std::uint16_t type) noexcept;

    Schema schema_;
    Settings settings_;
    Losses losses_;
    std::unique_ptr<Output> output_;
    std::unique_ptr<LiveWriter> writer_;
    ItemWriter* items_ = nullptr;  // of writer_
    std::uint64_t first_string_ = 0;
    std::uint64_t string_bytes_ = 0;  // size of the strings in the file's table
    std::vector<StoragePlan> storages_;
    std::vector<EventPlan> events_;
    std::vector<Column> columns_;

    Tick time_ = 0;          // time of the current or last cycle
    bool in_cycle_ = false;  // false after writing has failed and during the callback
    bool stopped_ = false;   // writing has failed

    uscope_writer_t* handle_ = nullptr;
    uscope_checkpoint_fn callback_ = nullptr;
    void* user_data_ = nullptr;
    StateTable* state_ = nullptr;  // not null during the callback

    ErrorText first_error_, stopping_error_;
    std::uint64_t errors_ = 0;
    mutable ErrorText shown_;
};

}  // namespace hwtrace::uscope
