// codec/behind_writer.hpp - writes a trace in a thread of its own, behind the thread that makes the records.
#pragma once

#include <functional>
#include <memory>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/writer.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A writer that passes batches to another writer, which runs in another thread. The output and the losses are the
/// same as without it. An error of the other writer is thrown by the next call, or by finish() at the latest. Memory:
/// about 16 MiB, and a copy of the schema.
class BehindWriter final : public Writer {
public:
    /// Makes the other writer from the schema and the losses that it may use in its thread.
    using Make = std::function<std::unique_ptr<Writer>(const Schema& schema, Losses& losses)>;

    /// `schema` is the schema of the batches; it may grow. With 2 `jobs`, a writer that has threads of its own stays in
    /// the calling thread. Finishing adds the losses of the other writer to `losses`. Both must outlive this object.
    BehindWriter(const Schema& schema, Losses& losses, unsigned jobs, const Make& make);
    BehindWriter(const BehindWriter&) = delete;
    BehindWriter& operator=(const BehindWriter&) = delete;
    /// Without finish(), batches that the other writer has not begun are dropped.
    ~BehindWriter() override;

    void write(const Batch& batch) override;
    void take(Batch& batch) override;
    void finish() override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Creates a writer of `to`. `findings` are those of the source, for writers that show them; null: there are none.
std::unique_ptr<Writer> create_writer(const Format& to, Output& output, const Schema& schema, const Settings& settings,
                                      Losses& losses, const Findings* findings = nullptr);
/// Does the same, but returns a BehindWriter if `settings.jobs` allows another thread and the input does not grow.
std::unique_ptr<Writer> create_behind(const Format& to, Output& output, const Schema& schema, const Settings& settings,
                                      Losses& losses, const Findings* findings = nullptr);

}  // namespace hwtrace
