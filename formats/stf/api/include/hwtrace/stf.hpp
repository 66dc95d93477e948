// hwtrace/stf.hpp - reads and writes STF traces, versions 1.2 to 1.6: plain, ZSTF, gzip, zstd or xz.
//
// Traces of instructions are read and written by record or by instruction, traces of transactions by record.
//
// Threads: do not share an object between threads; different objects are independent.
// Errors: every function may throw Error and std::bad_alloc. A call of a writer that throws Error::Kind::usage writes
// nothing. After any other Error, an object can only be destroyed.
// Lifetime: spans and strings of a reader are valid until the next call of its next(), and no longer than the reader.
#ifndef HWTRACE_STF_HPP
#define HWTRACE_STF_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace::stf {

/// Thrown if work on a file cannot continue. A problem inside a trace that can still be read is a Fault instead.
class Error : public std::runtime_error {
public:
    enum class Kind : std::uint8_t {
        usage,  ///< a call that is not allowed here, or a value that no record can hold
        input,  ///< the file is not an STF trace; for an InstructionReader: not a trace of instructions
        io,     ///< open, read, write or rename failed, or the disk is full
        limit,  ///< a limit of this library, such as 64 MiB for a record
        bug,    ///< a defect of this library
    };
    Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    Kind kind() const noexcept { return kind_; }

private:
    Kind kind_;
};

/// A violation of the format, or a suspicious place, as `hwtrace-validate` reports it.
struct Fault {
    std::string rule;          ///< stable id: "STF020"
    std::string severity;      ///< "error", "warning" or "note"
    std::uint64_t offset = 0;  ///< bytes from the start of the file
    std::string text;
};

struct ProcessId {
    std::uint32_t hardware_thread = 0, process = 0, thread = 0;
    friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

/// The tool that made or changed a trace (TRACE_INFO).
struct Generator {
    std::uint8_t number = 0xFF;
    std::uint8_t major = 0, minor = 0, patch = 0;
    std::string comment;
    friend bool operator==(const Generator&, const Generator&) = default;
};

/// A clock of a transaction trace (CLOCK_ID).
struct TransactionClock {
    std::uint8_t id = 1;  ///< at least 1
    std::string name;
    friend bool operator==(const TransactionClock&, const TransactionClock&) = default;
};

/// The header of a trace. Members about instructions are unused in a transaction trace.
struct Header {
    std::uint32_t major = 1, minor = 6;
    std::vector<std::string> comments;
    std::uint16_t isa = 1;            ///< 1: RISC-V
    std::uint16_t encoding_mode = 2;  ///< 1: RV32, 2: RV64
    std::vector<Generator> generators;
    std::uint64_t features = 0x80020;  ///< TRACE_INFO_FEATURE; bit 0x80000: event ids have 64 bits
    std::optional<ProcessId> process;
    std::uint64_t pc = 0;  ///< pc of the first instruction
    std::optional<std::uint32_t> vector_bits;
    std::optional<std::string> isa_string;
    bool transactions = false;             ///< true: a transaction trace; also set feature bit 0x100000
    std::uint8_t protocol = 1;             ///< transactions: 1 is TileLink
    std::vector<TransactionClock> clocks;  ///< transactions: at least one
    friend bool operator==(const Header&, const Header&) = default;
};

/// The type of a record: its first byte in the stream.
enum class RecordType : std::uint8_t {
    comment = 3,
    encoding_mode = 5,
    process_id = 8,
    force_pc = 9,
    target = 31,
    register_value = 40,
    ready_register = 41,
    page_table_walk = 50,
    memory_access = 60,
    memory_content = 61,
    bus_access = 62,
    bus_content = 63,
    event = 100,
    event_target = 101,
    microop = 230,
    opcode32 = 240,
    opcode16 = 241,
    transaction = 250,
    transaction_dependency = 251,
};

enum class RegisterKind : std::uint8_t { integer, floating, vector, csr };
enum class RegisterRole : std::uint8_t { state, source, destination };
enum class AccessKind : std::uint8_t { invalid, read, write };

/// A register and its value: the value that the instruction read (source) or wrote (destination), or the current value
/// (state).
struct Register {
    RegisterKind kind = RegisterKind::integer;
    RegisterRole role = RegisterRole::state;
    std::uint16_t number = 0;              ///< 0 to 31; 32 is the pc (integer only); csr: its address
    std::uint64_t value = 0;               ///< unused for vectors
    std::span<const std::uint64_t> words;  ///< vectors only, least significant word first
};

struct MemoryAccess {
    AccessKind kind = AccessKind::read;
    std::uint64_t address = 0;
    std::uint16_t size = 0;  ///< in bytes, but some generators write bits
    std::uint16_t attributes = 0;
    std::span<const std::uint64_t> data;  ///< 64-bit words, the lowest address first
};

/// A record of an instruction, other than its registers, accesses and target.
struct Event {
    RecordType type = RecordType::event;
    /// The fields of the record in stream order.
    ///   force_pc, event_target  pc
    ///   encoding_mode           mode
    ///   process_id              hardware thread, process, thread
    ///   ready_register          register number
    ///   page_table_walk         address, first access, page size, then an address and a PTE per step
    ///   bus_access              address, size, master, index, attributes, type, data...
    ///   event                   id, fields...
    ///   microop                 size, opcode
    std::span<const std::uint64_t> values;
    std::string_view text;             ///< comments only
    std::span<const std::byte> bytes;  ///< raw bytes of a record that violates the format; `type` is its first byte
};

/// One instruction and all records that belong to it. A writer accepts every instruction that a reader returns.
struct Instruction {
    std::uint64_t index = 0;  ///< position in the trace, from 0; writers ignore it
    std::uint64_t pc = 0;
    std::uint32_t encoding = 0;
    std::uint8_t size = 4;                ///< bytes of the encoding: 2 or 4
    std::optional<std::uint64_t> target;  ///< target of a taken branch
    std::span<const Event> events;        ///< in stream order
    std::span<const Register> registers;
    std::span<const MemoryAccess> accesses;
    /// The order of the records in the file; empty if it is the usual order. A writer checks and reproduces it.
    std::span<const std::byte> order;
};

enum class TileLinkChannel : std::uint8_t { a = 1, b, c, d, e };

/// A TileLink message. Channels A and B lack the sink, C lacks sink and mask, D lacks address and mask, and E has only
/// the sink. Missing members are 0 or empty.
struct TileLinkMessage {
    TileLinkChannel channel = TileLinkChannel::a;
    std::uint8_t code = 0, param = 0, size = 0;
    std::uint64_t source = 0, address = 0, sink = 0;
    std::span<const std::byte> data;  ///< at most 65,535 bytes
    std::uint16_t mask_bits = 0;
    std::span<const std::byte> mask;  ///< (mask_bits + 7) / 8 bytes, the lowest bit first
};

struct TransactionMetadata {
    std::uint8_t width = 8;  ///< bytes of the value: 1, 2, 4 or 8
    std::uint64_t value = 0;
    friend bool operator==(const TransactionMetadata&, const TransactionMetadata&) = default;
};

struct TileLinkTransaction {
    std::uint64_t id = 0;           ///< consecutive, starting at 1
    std::uint64_t cycle_delta = 0;  ///< cycles since the previous transaction
    std::uint8_t clock = 1;         ///< an id from Header::clocks
    std::span<const TransactionMetadata> metadata;
    TileLinkMessage message;
};

/// One record of the stream.
class RecordView {
public:
    /// Returns the type of the record; 0 if no record has been read.
    RecordType type() const noexcept { return bytes_.empty() ? RecordType{} : static_cast<RecordType>(bytes_[0]); }
    /// Returns the bytes of the whole record, including its type.
    std::span<const std::byte> bytes() const noexcept { return bytes_; }
    std::uint64_t offset() const noexcept { return offset_; }  ///< bytes from the start of the decompressed stream
    /// Returns true for the first record after damage. Records since the last opcode (or transaction) then belong to a
    /// lost instruction (or transaction).
    bool behind_loss() const noexcept { return behind_loss_; }

    // --- fields; each accessor throws Error::Kind::usage for a record of another type ---
    std::string_view comment() const;
    /// Returns the pc of force_pc, target or event_target.
    std::uint64_t pc() const;
    std::uint64_t content() const;         ///< memory_content and bus_content
    std::uint32_t opcode() const;          ///< opcode32 and opcode16
    std::uint64_t instruction_pc() const;  ///< opcode32 and opcode16: the pc of the instruction
    ProcessId process_id() const;
    /// Returns the register with its scalar value. For a vector, use word_count() and word().
    Register register_value() const;
    std::size_t word_count() const;                     ///< register_value: number of 64-bit words
    std::uint64_t word(std::size_t index) const;        ///< index < word_count()
    MemoryAccess memory_access() const;                 ///< without data, which follows in content records
    std::uint64_t event_id() const;                     ///< event; a 32-bit id is not converted to 64-bit form
    std::size_t field_count() const;                    ///< event
    std::uint64_t field(std::size_t index) const;       ///< index < field_count()
    std::uint64_t transaction_id() const;               ///< transaction; dependency: id of the earlier transaction
    std::uint64_t cycle_delta() const;                  ///< transaction or dependency
    std::uint8_t clock() const;                         ///< transaction or dependency: an id from Header::clocks
    TileLinkMessage message() const;                    ///< transaction
    std::vector<TransactionMetadata> metadata() const;  ///< transaction

private:
    friend class RecordReader;
    void need(bool right, const char* what) const;

    std::span<const std::byte> bytes_;
    std::uint64_t offset_ = 0;
    std::uint64_t instruction_pc_ = 0;
    bool event64_ = false;
    bool behind_loss_ = false;
};

/// Reads the records after the header. Damage ends the trace, except in a ZSTF file with a sound index: reading then
/// continues with the next chunk. sound() is false from there on, and faults() lists the reasons.
class RecordReader {
public:
    /// Opens a trace and reads its header. `path` "-" is standard input.
    explicit RecordReader(const std::string& path);
    ~RecordReader();
    RecordReader(RecordReader&&) noexcept;
    RecordReader& operator=(RecordReader&&) noexcept;

    const Header& header() const noexcept;
    /// Reads the next record. Returns false at the end.
    bool next(RecordView& record);
    /// Returns the faults found so far, at most 20 per rule.
    std::vector<Fault> faults() const;
    /// Returns true if nothing was missing or damaged so far.
    bool sound() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Reads a trace instruction by instruction. Damage has the same effect as for RecordReader. Instructions after the
/// damage keep their index; records of a lost instruction are not returned.
class InstructionReader {
public:
    explicit InstructionReader(const std::string& path);
    ~InstructionReader();
    InstructionReader(InstructionReader&&) noexcept;
    InstructionReader& operator=(InstructionReader&&) noexcept;

    const Header& header() const noexcept;
    /// Reads the next instruction. Returns false at the end.
    bool next(Instruction& instruction);
    /// Returns the records after the last instruction. Empty until next() has returned false.
    std::span<const Event> rest() const noexcept;
    std::vector<Fault> faults() const;
    bool sound() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Options for the file of a writer.
struct Storage {
    enum class Container : std::uint8_t { by_name, plain, zstf, gzip, zstd, xz };
    Container container = Container::by_name;  ///< by_name: .zstf, .gz, .zst, .xz, else plain
    std::uint64_t chunk = 100'000;             ///< instructions, or transactions, per ZSTF chunk
    int level = 3;                             ///< zstd compression level, 1 to 19
    bool replace = false;                      ///< replaces an existing file; false: an existing file is an error
    /// True: a ZSTF file appears with its first whole chunk, and is readable up to its last whole chunk at any time.
    /// Other containers appear with finish() in any case.
    bool growing = false;
    /// Number of threads that compress ZSTF and zstd, including the caller's. The output does not depend on it.
    unsigned threads = 1;
};

/// Writes records in the order of the calls. Typed calls must match the kind of trace that the header declares. The
/// file is written atomically by finish(); an object that is destroyed earlier leaves no file.
class RecordWriter {
public:
    RecordWriter(const std::string& path, const Header& header, const Storage& storage = {});
    ~RecordWriter();
    RecordWriter(RecordWriter&&) noexcept;
    RecordWriter& operator=(RecordWriter&&) noexcept;

    void comment(std::string_view text);
    void process_id(const ProcessId& id);
    void force_pc(std::uint64_t pc);
    void target(std::uint64_t pc);
    /// A vector must have exactly as many words as Header::vector_bits requires.
    void register_value(const Register& value);
    /// Writes the access and its data.
    void memory_access(const MemoryAccess& access);
    void event(std::uint64_t id, std::span<const std::uint64_t> fields);
    void event_target(std::uint64_t pc);
    /// `size` must be 2 or 4.
    void opcode(std::uint32_t encoding, std::uint8_t size);
    /// Transaction traces only. The header must declare the protocol TileLink and the clock of the transaction.
    void transaction(const TileLinkTransaction& transaction);
    /// Makes the next transaction depend on an earlier one, `id`.
    void dependency(std::uint64_t id, std::uint64_t cycle_delta, std::uint8_t clock);
    /// Writes a record of any type that may follow a header; `bytes` as in RecordView::bytes().
    void record(std::span<const std::byte> bytes);
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Writes instructions. Adds FORCE_PC if the pc does not follow from the earlier instructions.
class InstructionWriter {
public:
    InstructionWriter(const std::string& path, const Header& header, const Storage& storage = {});
    ~InstructionWriter();
    InstructionWriter(InstructionWriter&&) noexcept;
    InstructionWriter& operator=(InstructionWriter&&) noexcept;

    void write(const Instruction& instruction);
    /// Writes the records after the last instruction.
    void rest(std::span<const Event> events);
    /// Completes the file, which appears only then. Returns one line per loss or assumption; usually none.
    std::vector<std::string> finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace::stf

#endif
