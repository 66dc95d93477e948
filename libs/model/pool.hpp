// model/pool.hpp - a growing array of trivial values that is cleared and refilled without re-initialisation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace hwtrace {

/// A vector whose grow() leaves new elements uninitialised. Appending a record then costs one comparison and the
/// stores.
template <typename T>
class Pool {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static_assert(alignof(T) <= alignof(std::max_align_t));

public:
    Pool() = default;
    Pool(Pool&& other) noexcept
        : values_(std::move(other.values_)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    Pool& operator=(Pool&& other) noexcept {
        values_ = std::move(other.values_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }

    /// Appends `count` uninitialised values and returns the first. The caller must fill them immediately. Invalidates
    /// earlier pointers.
    T* grow(std::size_t count) {
        if (capacity_ - size_ < count) [[unlikely]]
            enlarge(count);
        T* place = values_.get() + size_;
        size_ += count;
        return place;
    }
    /// Reserves room for `count` values in total. Growing up to that size moves nothing, and unused pages take no
    /// memory.
    void reserve(std::size_t count) {
        if (count > capacity_) enlarge(count - size_);
    }
    void push_back(T value) { *grow(1) = value; }
    void append(std::span<const T> values) {
        T* place = grow(values.size());
        for (const T& value : values)
            *place++ = value;
    }
    /// Drops all values after the first `size`.
    void shrink_to(std::size_t size) noexcept { size_ = size; }
    void clear() noexcept { size_ = 0; }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T* data() noexcept { return values_.get(); }
    const T* data() const noexcept { return values_.get(); }
    T& operator[](std::size_t at) noexcept { return values_[at]; }
    const T& operator[](std::size_t at) const noexcept { return values_[at]; }
    T& back() noexcept { return values_[size_ - 1]; }

private:
    [[gnu::cold, gnu::noinline]] void enlarge(std::size_t count) {
        const std::size_t capacity = std::max({capacity_ * 2, size_ + count, std::size_t{64}});
        if (capacity > std::size_t{PTRDIFF_MAX} / sizeof(T)) throw std::bad_alloc();
        // For a large array, realloc() moves pages instead of values, and no page is touched again.
        void* const values = std::realloc(static_cast<void*>(values_.get()), capacity * sizeof(T));
        if (values == nullptr) throw std::bad_alloc();
        static_cast<void>(values_.release());  // realloc() has freed it
        values_.reset(static_cast<T*>(values));
        capacity_ = capacity;
    }

    struct Free {
        void operator()(T* values) const noexcept { std::free(values); }
    };

    std::unique_ptr<T[], Free> values_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace hwtrace
