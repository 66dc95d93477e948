#include "codec/ahead_reader.hpp"

#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "codec/findings.hpp"
#include "io/hand_over.hpp"
#include "io/task.hpp"
#include "model/schema_additions.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_bytes_ahead = std::size_t{8} << 20;
constexpr std::size_t most_findings = 256;  // in one delivery
constexpr std::size_t finding_bytes = 256;  // approximately

/// The result of one read(), or some of its findings.
struct Delivery {
    Batch batch;
    SchemaAdditions news;
    std::vector<Finding> findings;
    std::uint64_t position = 0;
    std::exception_ptr error;
    bool completes_read = false;
    bool has_more = false;  ///< the result of read()

    void clear() {
        batch.clear();
        news.clear();
        findings.clear();
        error = nullptr;
        completes_read = has_more = false;
    }
    std::size_t size_in_bytes() const noexcept {
        return batch.size_in_bytes() + news.text_bytes() + finding_bytes * findings.size();
    }
};

}  // namespace

struct AheadReader::State {
    State(const Format& format, Input& input, const Settings& settings, Findings& findings, Schema* complete)
        : findings_(findings), complete_(complete) {
        own_findings_.relay([this](Finding&& finding) { receive(std::move(finding)); });
        queue_.close();  // until the thread starts
        reader_ = format.open(input, settings, own_findings_);
        if (complete_ != nullptr) return;
        copy_ = reader_->schema();
        follower_.emplace(reader_->schema());
    }
    ~State() { halt(); }

    Schema& schema() noexcept { return complete_ != nullptr ? *complete_ : copy_; }

    bool read(Batch& batch) {
        while (true) {
            if (!next()) return false;
            news_of(taken_);
            for (Finding& finding : taken_.findings)
                findings_.report(std::move(finding));
            taken_.findings.clear();
            position_ = taken_.position;
            if (taken_.error) std::rethrow_exception(std::exchange(taken_.error, nullptr));
            if (!taken_.completes_read) continue;
            std::swap(batch, taken_.batch);
            if (!taken_.has_more) release();
            return taken_.has_more;
        }
    }

    bool seek(Tick time, StateTable* state) {
        halt();
        if (!reader_->seek(time, state)) return false;
        drop_read();
        return true;
    }

    bool restore_state(Cursor& in) {
        halt();
        auto* const resumable = dynamic_cast<Resumable*>(reader_.get());
        if (resumable == nullptr || !resumable->restore_state(in)) return false;
        drop_read();
        return true;
    }

    std::optional<StringId> add_text(std::string_view text) {
        auto* const resumable = dynamic_cast<Resumable*>(reader_.get());
        auto id = resumable == nullptr ? std::nullopt : resumable->add_text(text);
        if (!id) id = reader_->schema().intern(text);
        drop_read();
        return id;
    }
    bool can_restore() const {
        const auto* const resumable = dynamic_cast<const Resumable*>(reader_.get());
        return resumable != nullptr && resumable->can_restore();
    }

    Facts facts() {
        halt();
        return reader_->facts();
    }
    std::uint64_t position() const { return position_ ? *position_ : reader_->position(); }

    /// Stops the thread after the read() under way. The queue and `load_` keep what it has read.
    void halt() {
        queue_.close();
        if (thread_.joinable()) thread_.join();
        is_ahead_ = false;
    }

private:
    /// Frees the memory at the end of the input. The reader may be kept while others are read.
    void release() {
        halt();
        queue_.clear();
        load_ = {};
        filled_ = {};
    }
    /// Drops what was read before the reader moved, except for its schema.
    void drop_read() {
        position_.reset();
        while (queue_.take(taken_))
            news_of(taken_);
        if (std::exchange(is_pending_, false)) news_of(load_);
        load_.clear();
        if (follower_) follower_->collect(load_.news);
        news_of(load_);
    }
    void news_of(const Delivery& load) {
        if (complete_ == nullptr) load.news.apply(copy_);
    }

    /// Sets `taken_` to the next delivery. Returns false if there is none after the end of the input.
    bool next() {
        if (queue_.take(taken_)) return true;
        if (std::exchange(is_pending_, false)) {
            halt();
            std::swap(taken_, load_);
            return true;
        }
        halt();
        if (start()) return queue_.take(taken_);
        fill();
        std::swap(taken_, load_);
        return true;
    }

    /// Starts the thread. Returns false if the system allows no other.
    bool start() {
        queue_.open();
        position_ = position();
        is_ahead_ = true;
        try {
            thread_ = std::thread([this] { run(); });
            return true;
        } catch (const std::system_error& error) {
            if (!is_thread_refusal(error)) throw;
        }
        report_thread_refusal();
        is_ahead_ = false;
        queue_.close();
        return false;
    }
    /// Reads ahead until the input ends or the queue is closed.
    void run() {
        bool is_last = false;
        while (!is_last) {
            fill();
            is_last = !load_.has_more;
            if (!queue_.give(load_, load_.size_in_bytes())) {
                is_pending_ = true;
                return;
            }
        }
        queue_.end();
    }
    /// Reads once.
    void fill() {
        load_.clear();
        filled_.clear();
        try {
            load_.has_more = reader_->read(filled_);
        } catch (...) {
            load_.error = std::current_exception();
        }
        std::swap(load_.batch, filled_);
        load_.completes_read = true;
        load_.position = reader_->position();
        if (follower_) follower_->collect(load_.news);
    }

    /// Receives a finding of the reader.
    void receive(Finding&& finding) {
        if (!is_ahead_) return findings_.report(std::move(finding));
        load_.findings.push_back(std::move(finding));
        if (load_.findings.size() < most_findings) return;
        load_.position = reader_->position();
        if (queue_.give(load_, load_.size_in_bytes())) load_.clear();
    }

    Findings& findings_;
    Findings own_findings_{0};
    std::unique_ptr<Reader> reader_;
    Schema* complete_;
    Schema copy_;  // of the reader's schema, as of the last read()
    std::optional<SchemaFollower> follower_;
    std::optional<std::uint64_t> position_;

    HandOver<Delivery> queue_{most_bytes_ahead};
    Delivery load_, taken_;    // of the reading and the using thread
    Batch filled_;             // by the reader
    bool is_pending_ = false;  // load_ was not given
    bool is_ahead_ = false;    // another thread reads
    std::thread thread_;
};

AheadReader::AheadReader(const Format& format, Input& input, const Settings& settings, Findings& findings,
                         Schema* complete)
    : state_(std::make_unique<State>(format, input, settings, findings, complete)) {}
AheadReader::~AheadReader() = default;

Schema& AheadReader::schema() {
    return state_->schema();
}
bool AheadReader::read(Batch& batch) {
    return state_->read(batch);
}
bool AheadReader::seek(Tick time, StateTable* state) {
    return state_->seek(time, state);
}
bool AheadReader::restore_state(Cursor& in) {
    return state_->restore_state(in);
}
std::optional<StringId> AheadReader::add_text(std::string_view text) {
    return state_->add_text(text);
}
bool AheadReader::can_restore() const {
    return state_->can_restore();
}
Facts AheadReader::facts() const {
    return state_->facts();
}
std::uint64_t AheadReader::position() const {
    return state_->position();
}

void AheadReader::rest() {
    state_->halt();
}

std::unique_ptr<Reader> open_ahead(const Format& format, Input& input, const Settings& settings, Findings& findings,
                                   Schema* complete) {
    if (settings.jobs > 1 && !settings.wait_for_growth && input.seekable())
        return std::make_unique<AheadReader>(format, input, settings, findings, complete);
    return format.open(input, settings, findings);
}

}  // namespace hwtrace
