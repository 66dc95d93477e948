// codec/ahead_reader.hpp - reads a trace in a thread of its own, ahead of the thread that uses the records.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "codec/resumable.hpp"

namespace hwtrace {

/// A reader that delivers what another reader delivers, which runs in another thread. Everything is the same in each
/// call: records, schema, findings, position() and errors. The findings of records that are never asked for are
/// dropped. Memory: about 16 MiB, and a copy of the schema.
class AheadReader final : public Reader, public Resumable {
public:
    /// Opens `input` with `format`, whose settings and findings have the meaning of Format::open. Nothing is read
    /// ahead before the first read(). With `complete`, the schema of all records, schema() returns this object.
    AheadReader(const Format& format, Input& input, const Settings& settings, Findings& findings,
                Schema* complete = nullptr);
    AheadReader(const AheadReader&) = delete;
    AheadReader& operator=(const AheadReader&) = delete;
    /// Waits for the end of the read() under way. It may last if the input is a pipe.
    ~AheadReader() override;

    Schema& schema() override;
    bool read(Batch& batch) override;
    bool seek(Tick time, StateTable* state) override;
    /// Complete after the last read(), as those of the other reader. Before, they may be those of a later read().
    Facts facts() const override;
    std::uint64_t position() const override;
    void rest() override;
    bool keep_states() override { return false; }
    /// Returns false: the other reader is ahead of the records that were delivered.
    bool save_state(Appender&) override { return false; }
    /// Returns false if the other reader is not Resumable, or as it does.
    bool restore_state(Cursor& in) override;
    std::optional<StringId> add_text(std::string_view text) override;
    bool can_restore() const override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Opens `input` with `format`. Returns an AheadReader if `settings.jobs` allows another thread and nothing forbids it:
/// an input that grows is not read ahead, nor a pipe, which may be idle for a long time.
std::unique_ptr<Reader> open_ahead(const Format& format, Input& input, const Settings& settings, Findings& findings,
                                   Schema* complete = nullptr);

}  // namespace hwtrace
