// hwtrace/flux_emitter.hpp - writes flux traces from C++. Wraps <hwtrace/flux_emitter.h>; manages memory and ids.
//
// A failing call throws Error with the code of the C interface, or the exception that a handler threw. Writing samples
// allocates no memory, except for more than 15 logic states. Buffers and traces cannot be copied or moved. A buffer
// must outlive its traces.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "hwtrace/flux_emitter.h"
#include "hwtrace/flux_emitter_hosted.h"

namespace hwtrace::flux_emitter {

class Error : public std::runtime_error {
public:
    explicit Error(flux_result result) : std::runtime_error(flux_result_text(result)), result_(result) {}
    flux_result result() const noexcept { return result_; }

private:
    flux_result result_;
};

inline void check(flux_result result) {
    if (result != FLUX_OK) throw Error(result);
}

/// The position and mark of a sample: at(10), after(5), tagged(at(10), 1).
using When = flux_when;
inline When at(std::int64_t position) noexcept {
    return flux_at(position);
}
inline When after(std::int64_t delta) noexcept {
    return flux_after(delta);
}
inline When tagged(When when, std::uint8_t tag) noexcept {
    return flux_tagged(when, tag);
}

/// Consumes bytes from the front and returns their number. The rest is passed again later.
using Handler = std::function<std::size_t(std::span<const std::uint8_t>)>;

enum class Packing : std::uint8_t { none, lz4, fastlz, zlib, gzip };

/// Memory for entries, optionally with a destination. A buffer with a destination is flushed on destruction.
class Buffer {
public:
    /// Creates a buffer without a destination; see bytes() and divide(). Entries that do not fit are errors.
    explicit Buffer(std::uint32_t size) : memory_(size) { init(nullptr); }
    Buffer(std::uint32_t size, Handler handler) : memory_(size), handler_(std::move(handler)) {
        const flux_handler all{take, this, nullptr};
        init(&all);
    }
    /// Creates the file `path` as the destination. Throws Error on failure.
    Buffer(std::uint32_t size, const std::string& path) : memory_(size), file_(std::fopen(path.c_str(), "wb")) {
        if (!file_) throw Error(FLUX_ERROR_IO);
        const flux_handler all = flux_write_to(file_.get());
        init(&all);
    }
    /// Uses another buffer as the destination. `next` must outlive this buffer and be at least as large.
    Buffer(std::uint32_t size, Buffer& next, Packing packing = Packing::none) : memory_(size) {
        const flux_handler all = packing == Packing::none ? flux_copy_into(next.get()) : into_blocks(next, packing);
        init(&all);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (buffer_.handler.take != nullptr) flux_flush(&buffer_);
    }

    /// Divides the free memory into the sections of a ring, which keeps the newest entries.
    void divide(std::uint32_t sections) { check(flux_buffer_divide(&buffer_, sections)); }
    void flush() { checked(flux_flush(&buffer_)); }
    void deep_flush() { checked(flux_deep_flush(&buffer_)); }
    void clear() { check(flux_buffer_clear(&buffer_)); }
    std::span<const std::uint8_t> bytes() const noexcept {
        std::uint32_t size = 0;
        const std::uint8_t* const begin = flux_buffer_bytes(&buffer_, &size);
        return {begin, size};
    }
    flux_buffer* get() noexcept { return &buffer_; }
    /// Throws the handler's exception, if any, or Error if `result` is not FLUX_OK.
    void checked(flux_result result) {
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        check(result);
    }

private:
    static flux_result take(void* user, const flux_chunk* chunk, std::uint32_t* taken) noexcept {
        Buffer& self = *static_cast<Buffer*>(user);
        try {
            *taken = static_cast<std::uint32_t>(self.handler_({chunk->bytes, chunk->size}));
            return FLUX_OK;
        } catch (...) {
            self.thrown_ = std::current_exception();
            return FLUX_EXIT;
        }
    }

    void init(const flux_handler* handler) {
        check(flux_buffer_init(&buffer_, memory_.data(), static_cast<std::uint32_t>(memory_.size()), handler));
    }

    flux_handler into_blocks(Buffer& next, Packing packing) {
        constexpr std::uint8_t table_bits = 13;
        packer_.next = next.get();
        if (packing == Packing::lz4) {
            lz4_.resize(flux_lz4_work_size() / sizeof(std::uint64_t) + 1);
            packer_ = {next.get(), FLUX_LZ4, flux_lz4_compress, lz4_.data()};
        } else if (packing == Packing::fastlz) {
            table_.resize(std::size_t{1} << table_bits);
            fastlz_ = {table_.data(), table_bits, 0};
            packer_ = {next.get(), FLUX_FASTLZ, flux_fastlz_compress, &fastlz_};
        } else {
            const flux_packing kind = packing == Packing::zlib ? FLUX_ZLIB : FLUX_GZIP;
            deflate_.reset(flux_deflate_create(kind, -1));
            if (!deflate_) throw std::bad_alloc();
            packer_ = {next.get(), kind, flux_deflate_compress, deflate_.get()};
        }
        return flux_pack_into(&packer_);
    }

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
        void operator()(flux_deflate* deflate) const { flux_deflate_free(deflate); }
    };

    std::vector<std::uint8_t> memory_;
    Handler handler_;
    std::unique_ptr<std::FILE, Close> file_;
    flux_packer packer_{};
    flux_fastlz fastlz_{};
    std::vector<std::uint32_t> table_;
    std::vector<std::uint64_t> lz4_;
    std::unique_ptr<flux_deflate, Close> deflate_;
    std::exception_ptr thrown_;
    flux_buffer buffer_{};
};

struct TraceOptions {
    std::string description = {};
    std::uint32_t id = 0;
    std::uint8_t version = FLUX_VERSION_6;
    std::uint32_t max_item = 1023;  ///< maximum number of scopes and signals
    std::uint32_t max_entry = 4096;
};

class Trace;

/// A signal of a trace: a small handle, cheap to copy.
class Signal {
public:
    std::uint32_t id() const noexcept { return id_; }

    void write(When when, std::signed_integral auto value) const;
    void write(When when, std::unsigned_integral auto value) const;
    void write(When when, float value) const;
    void write(When when, double value) const;
    void write(When when, std::string_view text) const;
    void write(When when, const char* text) const { write(when, std::string_view(text)); }
    void write(When when, std::span<const std::byte> bytes) const;
    void write(When when, std::span<const flux_member> members) const;
    void write(When when, std::initializer_list<flux_member> members) const {
        write(when, std::span<const flux_member>(members.begin(), members.size()));
    }
    /// Writes integers or floats of 32 or 64 bits. If `dynamic`, the length may change between samples.
    template <typename T>
    requires std::is_arithmetic_v<T>
    void write_array(When when, std::span<const T> values, bool dynamic = false) const;
    void write_event(When when, std::uint32_t value) const;
    /// Writes states as characters (0 1 Z X L H U W -), most significant first; `preceding` fills the states before
    /// them.
    void write_logic(When when, std::string_view states, char preceding = '0') const;
    void write_none(When when) const;

    /// Labels a value of the signal, or of a member if `enumeration` is FLUX_ENUM_MEMBER + id.
    void name(std::uint32_t value, const std::string& label, std::uint32_t enumeration = FLUX_ENUM_GLOBAL) const;
    void member(std::uint32_t id, const std::string& label, int type, const std::string& descriptor = {},
                std::int64_t parent = FLUX_NO_PARENT) const;
    void relate(std::uint32_t target, std::uint32_t style, std::int64_t distance, flux_relation relation = FLUX_DELTA,
                std::uint32_t domain = 0) const;
    void label(std::uint32_t style) const;

private:
    friend class Trace;
    friend class Scope;
    Signal(Trace& trace, std::uint32_t id, std::uint32_t width) : trace_(&trace), id_(id), width_(width) {}
    void checked(flux_result result) const;

    Trace* trace_;
    std::uint32_t id_;
    std::uint32_t width_;  ///< states of a logic signal, else 0
};

/// A scope of a trace, or its root: a small handle, cheap to copy.
class Scope {
public:
    std::uint32_t id() const noexcept { return id_; }

    Scope scope(const std::string& name, const std::string& description = {}) const;
    Signal signal(const std::string& name, flux_type type, const std::string& descriptor = {},
                  const std::string& description = {}) const;
    Signal logic(const std::string& name, std::uint32_t width) const;
    /// Shows a signal in this scope too, under `name`.
    void refer(const Signal& signal, const std::string& name) const;

private:
    friend class Trace;
    Scope(Trace& trace, std::uint32_t id) : trace_(&trace), id_(id) {}

    Trace* trace_;
    std::uint32_t id_;
};

/// A trace. The constructor writes the head.
class Trace {
public:
    Trace(Buffer& buffer, const std::string& name, const TraceOptions& options = {})
        : buffer_(&buffer), items_(std::size_t{options.max_item} + 1) {
        check(
            flux_trace_init(&trace_, options.id, options.version, options.max_item, options.max_entry, items_.data()));
        check(flux_trace_attach(&trace_, buffer.get()));
        checked(flux_write_head(&trace_, name.c_str(), options.description.c_str()));
    }
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    Scope root() { return {*this, 0}; }
    /// Sends later entries to another buffer.
    void attach(Buffer& buffer) {
        check(flux_trace_attach(&trace_, buffer.get()));
        buffer_ = &buffer;
    }
    void open(const std::string& domain, std::int64_t start = 0, std::uint32_t rate = 0, std::uint32_t item = 0) {
        checked(flux_open(&trace_, item, domain.c_str(), start, rate));
    }
    void close(std::int64_t end, std::uint32_t item = 0) { checked(flux_close(&trace_, item, end)); }

    /// Returns the trace for calls of the C interface. Pass their results to checked(), which throws on failure.
    flux_trace* get() noexcept { return &trace_; }
    void checked(flux_result result) {
        if (result != FLUX_OK) buffer_->checked(result);
    }
    std::uint32_t next_item() noexcept { return ++last_item_; }

private:
    Buffer* buffer_;
    std::vector<flux_item> items_;
    flux_trace trace_{};
    std::uint32_t last_item_ = 0;
};

// ---- definitions ----

inline void Signal::checked(flux_result result) const {
    trace_->checked(result);
}

void Signal::write(When when, std::signed_integral auto value) const {
    checked(flux_write_integer(trace_->get(), id_, when, value));
}

void Signal::write(When when, std::unsigned_integral auto value) const {
    checked(flux_write_unsigned(trace_->get(), id_, when, value));
}

inline void Signal::write(When when, float value) const {
    checked(flux_write_float(trace_->get(), id_, when, value));
}

inline void Signal::write(When when, double value) const {
    checked(flux_write_double(trace_->get(), id_, when, value));
}

inline void Signal::write(When when, std::string_view text) const {
    checked(flux_write_characters(trace_->get(), id_, when, text.data(), static_cast<std::uint32_t>(text.size())));
}

inline void Signal::write(When when, std::span<const std::byte> bytes) const {
    checked(flux_write_binary(trace_->get(), id_, when, bytes.data(), static_cast<std::uint32_t>(bytes.size())));
}

inline void Signal::write(When when, std::span<const flux_member> members) const {
    checked(flux_write_struct(trace_->get(), id_, when, members.data(), static_cast<std::uint32_t>(members.size())));
}

template <typename T>
requires std::is_arithmetic_v<T>
void Signal::write_array(When when, std::span<const T> values, bool dynamic) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    constexpr flux_element element = std::is_floating_point_v<T> ? (sizeof(T) == 4 ? FLUX_FLOAT32 : FLUX_FLOAT64)
                                     : std::is_signed_v<T>       ? (sizeof(T) == 4 ? FLUX_INT32 : FLUX_INT64)
                                                                 : (sizeof(T) == 4 ? FLUX_UINT32 : FLUX_UINT64);
    const flux_array array{values.data(), static_cast<std::uint32_t>(values.size()), element, dynamic};
    checked(flux_write_array(trace_->get(), id_, when, &array));
}

inline void Signal::write_event(When when, std::uint32_t value) const {
    checked(flux_write_event(trace_->get(), id_, when, value));
}

inline void Signal::write_logic(When when, std::string_view states, char preceding) const {
    const std::string text(states);
    checked(flux_write_logic(trace_->get(), id_, when, preceding, width_, text.c_str()));
}

inline void Signal::write_none(When when) const {
    checked(flux_write_none(trace_->get(), id_, when));
}

inline void Signal::name(std::uint32_t value, const std::string& label, std::uint32_t enumeration) const {
    checked(flux_define_enum(trace_->get(), id_, enumeration, label.c_str(), value));
}

inline void Signal::member(std::uint32_t id, const std::string& label, int type, const std::string& descriptor,
                           std::int64_t parent) const {
    checked(flux_define_member(trace_->get(), id_, id, parent, label.c_str(), static_cast<std::uint8_t>(type),
                               descriptor.c_str()));
}

inline void Signal::relate(std::uint32_t target, std::uint32_t style, std::int64_t distance, flux_relation relation,
                           std::uint32_t domain) const {
    checked(flux_write_relation(trace_->get(), id_, relation, target, style, distance, domain));
}

inline void Signal::label(std::uint32_t style) const {
    checked(flux_write_label(trace_->get(), id_, style, 0, 0));
}

inline Scope Scope::scope(const std::string& name, const std::string& description) const {
    const std::uint32_t item = trace_->next_item();
    trace_->checked(flux_add_scope(trace_->get(), item, id_, name.c_str(), description.c_str()));
    return {*trace_, item};
}

inline Signal Scope::signal(const std::string& name, flux_type type, const std::string& descriptor,
                            const std::string& description) const {
    const std::uint32_t item = trace_->next_item();
    trace_->checked(
        flux_add_signal(trace_->get(), item, id_, name.c_str(), description.c_str(), type, descriptor.c_str()));
    return {*trace_, item, 0};
}

inline Signal Scope::logic(const std::string& name, std::uint32_t width) const {
    Signal made = signal(name, FLUX_LOGIC, width == 1 ? "" : "default<bits=" + std::to_string(width) + ">");
    made.width_ = width;
    return made;
}

inline void Scope::refer(const Signal& signal, const std::string& name) const {
    trace_->checked(flux_add_reference(trace_->get(), signal.id(), id_, name.c_str(), nullptr));
}

}  // namespace hwtrace::flux_emitter
