// apps/record-qemu/recorder.hpp - writes the instructions that threads execute to an STF trace.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "domain/riscv.hpp"

#include "hwtrace/stf.hpp"
#include "loaded_files.hpp"

namespace hwtrace::record_qemu {

/// An instruction in the program's memory.
struct Code {
    std::uint64_t pc = 0;
    std::uint32_t encoding = 0;
    std::uint8_t size = 4;
    bool begins_region = false;  ///< recording starts with it
    bool ends_region = false;    ///< recording ends before it
    bool is_store_conditional = false;
    riscv::Encoding decoded{};
};

/// One memory access of an instruction.
struct Touch {
    std::uint64_t address = 0;
    std::uint64_t data = 0;
    std::uint16_t size = 0;  ///< in bytes
    bool is_store = false;
};

/// The part of a run that is recorded.
struct Region {
    std::string from, to;                ///< symbols, or addresses as 0x…; empty: the whole run
    std::uint64_t skip = 0;              ///< instructions to leave out after `from`
    std::optional<std::uint64_t> limit;  ///< the most instructions to record
};

/// Instructions of one thread that are not yet written.
class Thread {
public:
    static constexpr std::size_t most_instructions = 4096, most_touches = 16384;

    explicit Thread(unsigned number) : number_(number) {
        executed_.reserve(most_instructions);
        touches_.reserve(most_touches);
    }
    unsigned number() const noexcept { return number_; }
    /// Returns true if the instructions must be written now.
    bool is_full() const noexcept { return executed_.size() >= most_instructions || touches_.size() >= most_touches; }
    void execute(const Code& code) { executed_.push_back({&code, static_cast<std::uint32_t>(touches_.size())}); }
    /// Adds an access of the last instruction.
    void touch(const Touch& touch) {
        if (!executed_.empty()) touches_.push_back(touch);
    }

private:
    friend class Recorder;
    struct Executed {
        const Code* code;
        std::uint32_t first_touch;
    };

    unsigned number_;
    std::vector<Executed> executed_;
    std::vector<Touch> touches_;
};

/// Writes the instructions of all threads to one trace. Threads may call take() at the same time.
class Recorder {
public:
    /// The file is opened when the first instruction is recorded, whose pc completes the header.
    Recorder(std::string path, stf::Header header, const stf::Storage& storage, Region region);

    /// Returns the instruction with this address and encoding. It lives as long as the recorder. `symbol` is the
    /// function that contains it; may be null.
    const Code& code(std::uint64_t pc, std::uint32_t encoding, unsigned size, const char* symbol);
    /// States that a file was loaded, before any instruction of it is taken. A comment in the trace says so.
    void loaded(const LoadedFile& file);
    /// Writes the instructions of a thread. The last one is kept until its successor is known, unless `is_last`: then
    /// nothing follows. Throws stf::Error.
    void take(Thread& thread, bool is_last);
    /// Returns true if all instructions of the region are written.
    bool is_complete() const noexcept { return is_complete_.load(std::memory_order_relaxed); }
    /// Returns true if the region has begun. Requires finish().
    bool has_begun() const noexcept { return is_inside_; }
    /// Completes the file, which exists even if nothing was recorded. Returns the number of recorded instructions.
    /// Later calls only return this number. Throws stf::Error.
    std::uint64_t finish();

private:
    bool is_wanted(const Code& code);
    void write(const Thread& thread, std::size_t index, const Code* next);
    void open(const Thread& thread, std::uint64_t pc);

    std::mutex mutex_;  // guards everything below but is_complete_
    std::string path_;
    stf::Header header_;
    stf::Storage storage_;
    Region region_;
    std::optional<stf::InstructionWriter> writer_;
    riscv::Xlen xlen_;
    std::deque<Code> codes_;
    std::unordered_map<std::uint64_t, std::vector<Code*>> codes_at_;  // by pc
    bool is_inside_;                                                  // the region has begun
    std::uint64_t seen_ = 0, written_ = 0;
    unsigned last_thread_ = 0;
    std::vector<std::string> comments_;  // that the next instruction gets
    std::vector<stf::MemoryAccess> accesses_;
    std::vector<stf::Event> events_;
    bool is_finished_ = false;
    std::atomic<bool> is_complete_ = false;
};

}  // namespace hwtrace::record_qemu
