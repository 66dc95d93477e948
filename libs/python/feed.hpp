// python/feed.hpp - a conversion that gets its records from calls of a Python program.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "hwtrace/format.hpp"
#include "hwtrace/hwtrace.hpp"

namespace hwtrace::python {

/// The reader of a conversion in a thread of its own. The thread and the program take turns: the thread runs only while
/// the program waits in put() or finish(), so the program may add strings to the schema at any other time.
class Feed final : public Reader {
public:
    // --- for the conversion ---
    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return delivered_; }

    // --- for the program ---
    /// Starts the conversion to `target`. The tracks must be declared.
    void start(std::string target, ConversionOptions options);
    /// Delivers the records of `batch`, clears it, and waits until they are written. Throws what the conversion threw,
    /// and Failure::usage after cancel().
    template <typename Check>
    void put(Batch& batch, Check&& check) {
        batch_ = &batch;
        run(Turn::conversion, check);
        batch.clear();
    }
    /// Lets the conversion complete the output, and waits for it. Throws as put() does. If it throws, the file does not
    /// appear: `check.now()` is called a last time before it does, and nothing is called while it does.
    template <typename Check>
    ConversionReport finish(Check&& check) {
        run(Turn::ending, check);
        if (is_complete_) {
            check.now();
            run(Turn::committing, [] {});
        }
        if (!report_) fail(Failure::internal, "the conversion has no result");
        return std::move(*report_);
    }
    /// Ends the conversion without an output. No other call may run.
    void abandon() noexcept;
    /// Lets the call end that another thread waits in, and all later ones, unless the file appears already.
    void cancel() noexcept;
    bool is_started() const noexcept { return thread_.joinable(); }

private:
    enum class Turn : std::uint8_t {
        program,
        conversion,
        ending,      ///< of the conversion, which gets no more records
        committing,  ///< of the conversion, which lets the complete file appear
        abandoned,   ///< of the conversion, which ends
        ended,
    };
    struct Abandoned {};

    void check_usable() const {
        if (failure_) std::rethrow_exception(failure_);
        if (is_cancelled_) fail(Failure::usage, "the writer was closed by another thread; nothing is written");
    }
    void convert_to(const std::string& target, const ConversionOptions& options);
    void wait_for_commit();

    /// Gives the turn away and waits until it comes back. `check` is called meanwhile, and may throw.
    template <typename Check>
    void run(Turn turn, Check&& check) {
        std::unique_lock lock(mutex_);
        check_usable();
        if (turn_ == Turn::ended) fail(Failure::usage, "the writer is closed");
        turn_ = turn;
        changed_.notify_all();
        const auto is_back = [&] {
            return turn_ == Turn::program || turn_ == Turn::ended || (is_cancelled_ && turn != Turn::committing);
        };
        while (!changed_.wait_for(lock, std::chrono::milliseconds(50), is_back)) {
            lock.unlock();
            check();
            lock.lock();
        }
        if (turn == Turn::committing && !failure_) return;
        check_usable();
    }

    Schema schema_;
    Batch* batch_ = nullptr;  ///< the records to deliver
    std::uint64_t delivered_ = 0;
    std::atomic<bool> is_stopped_ = false;  ///< the output takes no more bytes
    std::mutex mutex_;
    std::condition_variable changed_;
    Turn turn_ = Turn::program;
    bool has_begun_ = false;     ///< the conversion has asked for records
    bool is_complete_ = false;   ///< the output is complete, but does not appear yet
    bool is_cancelled_ = false;  ///< by another thread than the one that waits
    std::optional<ConversionReport> report_;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace hwtrace::python
