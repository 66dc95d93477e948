#include "codec/behind_writer.hpp"

#include <set>
#include <utility>
#include <vector>

#include "codec/shows_findings.hpp"
#include "io/work_behind.hpp"
#include "model/schema_additions.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_bytes_behind = std::size_t{8} << 20;

/// The records of one call, and what the schema has gained before it.
struct Written {
    Batch batch;
    SchemaAdditions news;
    std::vector<Losses::Key> losses;  // that the other thread has counted since the last call
    std::uint64_t step = 0;
};

}  // namespace

struct BehindWriter::State {
    State(const Schema& schema, Losses& losses, unsigned jobs, const Make& make)
        : copy_(schema), follower_(schema), losses_(losses) {
        tell_losses();
        writer_ = make(copy_, own_losses_);
        // More threads than processors would only move records from one processor's cache to the other's.
        if (jobs == 2 && writer_->has_threads()) behind_.stay_in_caller();
        losses_.at_step(step_);
    }

    void take(Batch& batch) {
        std::swap(load_.batch, batch);
        follower_.collect(load_.news);
        load_.losses.clear();
        if (losses_.entries().size() != told_losses_.size()) collect_losses();
        load_.step = step_;
        behind_.give(load_, load_.batch.size_in_bytes() + load_.news.text_bytes());
        losses_.at_step(++step_);
    }
    void finish() {
        behind_.finish();
        follower_.collect(load_.news);
        load_.news.apply(copy_);
        losses_.merge(own_losses_);
        own_losses_ = losses_;  // some writers show them
        own_losses_.at_step(step_);
        writer_->finish();
        losses_ = own_losses_;
    }

    Batch copied;  // for write(), reused

private:
    /// Some writers ask whether a loss has been counted before.
    void collect_losses() {
        for (const auto& [key, entry] : losses_.entries())
            if (told_losses_.insert(key).second) load_.losses.push_back(key);
    }
    void tell_losses() {
        collect_losses();
        for (const Losses::Key& key : load_.losses)
            own_losses_.add(key, {});
    }
    void write(Written& load) {
        load.news.apply(copy_);
        for (const Losses::Key& key : load.losses)
            own_losses_.add(key, {});
        own_losses_.at_step(load.step);
        writer_->take(load.batch);
    }

    // The writing thread uses the first three, the calling thread the rest.
    Schema copy_;
    Losses own_losses_;
    std::unique_ptr<Writer> writer_;

    SchemaFollower follower_;
    Losses& losses_;
    std::set<Losses::Key> told_losses_;
    Written load_;
    std::uint64_t step_ = 1;  // 0: before the first batch
    WorkBehind<Written> behind_{most_bytes_behind,
                                [this](Written& load) { write(load); }};  // last: its thread ends first
};

BehindWriter::BehindWriter(const Schema& schema, Losses& losses, unsigned jobs, const Make& make)
    : state_(std::make_unique<State>(schema, losses, jobs, make)) {}
BehindWriter::~BehindWriter() = default;

void BehindWriter::write(const Batch& batch) {
    Batch& copied = state_->copied;
    copied.clear();
    copied.set_lost_positions(batch.lost_positions());
    for (const Record& record : batch.records())
        copied.copy(batch, record, record.track);
    take(copied);
}
void BehindWriter::take(Batch& batch) {
    state_->take(batch);
}
void BehindWriter::finish() {
    state_->finish();
}

std::unique_ptr<Writer> create_writer(const Format& to, Output& output, const Schema& schema, const Settings& settings,
                                      Losses& losses, const Findings* findings) {
    std::unique_ptr<Writer> writer = to.create(output, schema, settings, losses);
    if (auto* const shows = dynamic_cast<ShowsFindings*>(writer.get()); shows != nullptr && findings != nullptr)
        shows->show(*findings);
    return writer;
}

std::unique_ptr<Writer> create_behind(const Format& to, Output& output, const Schema& schema, const Settings& settings,
                                      Losses& losses, const Findings* findings) {
    const auto make = [&](const Schema& writers_schema, Losses& writers_losses) {
        return create_writer(to, output, writers_schema, settings, writers_losses, findings);
    };
    if (settings.jobs <= 1 || settings.wait_for_growth) return make(schema, losses);
    return std::make_unique<BehindWriter>(schema, losses, settings.jobs, make);
}

}  // namespace hwtrace
