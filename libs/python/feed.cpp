#include "python/feed.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "hwtrace/io.hpp"

namespace hwtrace::python {

namespace {

/// An output that refuses bytes when nobody wants them any more, so that a long end of a conversion ends early.
class StoppableOutput final : public Output {
public:
    StoppableOutput(std::unique_ptr<Output> output, const std::atomic<bool>& is_stopped)
        : output_(std::move(output)), is_stopped_(is_stopped) {}

    const std::string& name() const noexcept override { return output_->name(); }
    void append(std::span<const std::byte> bytes) override {
        check();
        output_->append(bytes);
    }
    std::uint64_t size() const noexcept override { return output_->size(); }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
        check();
        output_->patch(offset, bytes);
    }
    void shift(std::uint64_t from, std::uint64_t to) override {
        check();
        output_->shift(from, to);
    }
    void sync() override { output_->sync(); }
    void commit() override { output_->commit(); }
    std::string abandon() override { return output_->abandon(); }
    std::optional<Input> reopen() override { return output_->reopen(); }

private:
    void check() const {
        // As a failure of the disk, which every writer handles.
        if (is_stopped_) fail(Failure::io, name() + ": the writer was abandoned");
    }

    std::unique_ptr<Output> output_;
    const std::atomic<bool>& is_stopped_;
};

}  // namespace

bool Feed::read(Batch& batch) {
    std::unique_lock lock(mutex_);
    // The turn with which the conversion was started is the one for the first records.
    if (std::exchange(has_begun_, true) && turn_ == Turn::conversion) {
        turn_ = Turn::program;
        changed_.notify_all();
        changed_.wait(lock, [&] { return turn_ != Turn::program; });
    }
    if (turn_ == Turn::abandoned) throw Abandoned{};
    if (turn_ == Turn::ending) return false;
    std::swap(batch, *batch_);
    delivered_ += batch.records().size();
    return true;
}

void Feed::start(std::string target, ConversionOptions options) {
    thread_ = std::thread([this, target = std::move(target), options = std::move(options)] {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return turn_ != Turn::program; });
        }
        std::exception_ptr failure;
        try {
            convert_to(target, options);
        } catch (const Abandoned&) {
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        failure_ = failure;
        turn_ = Turn::ended;
        changed_.notify_all();
    });
}

void Feed::convert_to(const std::string& target, const ConversionOptions& options) {
    const Format* const to = options.to != nullptr ? options.to : format_by_extension(options.formats, target);
    if (to == nullptr)
        fail(Failure::usage, target + ": the extension names no known format; known formats are " +
                                 format_names(writable(options.formats)));
    ConversionOptions named = options;
    named.settings.output_name = target;
    auto output = open_target(*to, options.settings, target, options.existing);
    const bool is_folder = to->writes.writes_folder != nullptr && to->writes.writes_folder(options.settings);
    if (!is_folder) output = std::make_unique<StoppableOutput>(std::move(output), is_stopped_);
    Conversion conversion(*this, *to, std::move(named));
    conversion.begin(*output);
    conversion.run();
    if (!conversion.is_refused()) {
        output->sync();  // takes the most time of a commit, which nothing can interrupt
        wait_for_commit();
        output->commit();
        conversion.report().written = true;
    }
    report_ = std::move(conversion.report());
}

void Feed::wait_for_commit() {
    std::unique_lock lock(mutex_);
    if (turn_ == Turn::ending) {
        is_complete_ = true;
        turn_ = Turn::program;
        changed_.notify_all();
        changed_.wait(lock, [&] { return turn_ != Turn::program; });
    }
    if (turn_ != Turn::committing) throw Abandoned{};
}

void Feed::cancel() noexcept {
    const std::lock_guard lock(mutex_);
    if (turn_ == Turn::committing) return;
    is_cancelled_ = true;
    is_stopped_ = true;
    changed_.notify_all();
}

void Feed::abandon() noexcept {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        if (turn_ != Turn::ended) turn_ = Turn::abandoned;
        is_stopped_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

}  // namespace hwtrace::python
