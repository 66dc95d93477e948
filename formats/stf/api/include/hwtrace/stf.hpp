// hwtrace/stf.hpp - reads and writes STF traces (versions 1.2 to 1.6; plain, ZSTF, gzip, zstd, xz): of instructions
// record by record or instruction by instruction, of transactions record by record.
//
// Objects are not shared between threads; different ones are independent. Everything throws Error, and std::bad_alloc.
// A call of a writer that throws Error::Kind::usage has written nothing; after any other Error an object can only be
// destroyed.
// Spans and texts of a reader's views are valid until its next call of next(), and no longer than the reader.
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

/// Nothing more can be done with this file. What is wrong inside a trace that goes on is no error but a Fault.
class Error : public std::runtime_error {
public:
    enum class Kind : std::uint8_t {
        usage,  ///< a call that makes no sense here, or a value that has no place in a record
        input,  ///< the file is no STF trace, or none of instructions for an InstructionReader
        io,     ///< open, read, write, rename, disk full
        limit,  ///< a record of the file is larger than 64 MiB, or the like
        bug,    ///< of this library
    };
    Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    Kind kind() const noexcept { return kind_; }

private:
    Kind kind_;
};

/// Something in a file that breaks the format or is suspicious, as `hwtrace-validate` tells it.
struct Fault {
    std::string rule;          ///< "STF020"; stable
    std::string severity;      ///< "error", "warning", "note"
    std::uint64_t offset = 0;  ///< byte of the file
    std::string text;
};

struct ProcessId {
    std::uint32_t hardware_thread = 0, process = 0, thread = 0;
    friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

/// Who made a trace, and with what.
struct Generator {
    std::uint8_t number = 0xFF;
    std::uint8_t major = 0, minor = 0, patch = 0;
    std::string comment;
    friend bool operator==(const Generator&, const Generator&) = default;
};

/// A clock of a trace of transactions.
struct TransactionClock {
    std::uint8_t id = 1;  ///< above 0
    std::string name;
    friend bool operator==(const TransactionClock&, const TransactionClock&) = default;
};

/// What stands before the first record of a trace. A trace of transactions has none of what is said of instructions.
struct Header {
    std::uint32_t major = 1, minor = 6;
    std::vector<std::string> comments;
    std::uint16_t isa = 1;            ///< 1: RISC-V
    std::uint16_t encoding_mode = 2;  ///< 1: RV32, 2: RV64
    std::vector<Generator> generators;
    std::uint64_t features = 0x80020;  ///< TRACE_INFO_FEATURE; 0x80000: ids of events have 64 bits
    std::optional<ProcessId> process;
    std::uint64_t pc = 0;  ///< of the first instruction
    std::optional<std::uint32_t> vector_bits;
    std::optional<std::string> isa_string;
    bool transactions = false;             ///< a trace of transactions; then the feature 0x100000 is usual
    std::uint8_t protocol = 1;             ///< of transactions; 1: TileLink
    std::vector<TransactionClock> clocks;  ///< of transactions, at least one
    friend bool operator==(const Header&, const Header&) = default;
};

/// The first byte of a record in the stream.
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

/// A register and the value that it had (source), got (destination), or is known to have (state).
struct Register {
    RegisterKind kind = RegisterKind::integer;
    RegisterRole role = RegisterRole::state;
    std::uint16_t number = 0;              ///< 0 to 31, 32 is the pc; of a csr its address
    std::uint64_t value = 0;               ///< of all but vectors
    std::span<const std::uint64_t> words;  ///< of a vector, the lowest first
};

struct MemoryAccess {
    AccessKind kind = AccessKind::read;
    std::uint64_t address = 0;
    std::uint16_t size = 0;  ///< in bytes; some generators write bits
    std::uint16_t attributes = 0;
    std::span<const std::uint64_t> data;  ///< 64-bit words, the lowest address first
};

/// A record that belongs to an instruction and is none of its registers, accesses and its target.
struct Event {
    RecordType type = RecordType::event;
    /// The record's numbers in their order: {pc}; {hardware thread, process, thread}; {id, fields...}; {address, first
    /// access, page size, (address, PTE)...}; {address, size, master, index, attributes, type, data...}; {size,
    /// opcode}.
    std::span<const std::uint64_t> values;
    std::string_view text;             ///< of a comment
    std::span<const std::byte> bytes;  ///< of a record that fits no group as it is (then `type` is its first byte)
};

/// One instruction and everything that belongs to it. What a reader gives can be given to a writer.
struct Instruction {
    std::uint64_t index = 0;  ///< in the trace, from 0; writers count themselves
    std::uint64_t pc = 0;
    std::uint32_t encoding = 0;
    std::uint8_t size = 4;                ///< of the encoding: 2 or 4
    std::optional<std::uint64_t> target;  ///< of a taken branch
    std::span<const Event> events;        ///< in the order of their records
    std::span<const Register> registers;
    std::span<const MemoryAccess> accesses;
    /// How the records were mixed in the file, where it is not the usual way: for a writer, which checks that it fits.
    std::span<const std::byte> order;
};

enum class TileLinkChannel : std::uint8_t { a = 1, b, c, d, e };

/// What a transaction carries. Channels A and B have all but the sink, C neither sink nor mask, D neither address nor
/// mask, E the sink alone; what a channel does not have is 0 or empty.
struct TileLinkMessage {
    TileLinkChannel channel = TileLinkChannel::a;
    std::uint8_t code = 0, param = 0, size = 0;
    std::uint64_t source = 0, address = 0, sink = 0;
    std::span<const std::byte> data;  ///< at most 65,535
    std::uint16_t mask_bits = 0;
    std::span<const std::byte> mask;  ///< (mask_bits + 7) / 8 bytes, the lowest bit first
};

struct TransactionMetadata {
    std::uint8_t width = 8;  ///< of the value, in bytes: 1, 2, 4 or 8
    std::uint64_t value = 0;
    friend bool operator==(const TransactionMetadata&, const TransactionMetadata&) = default;
};

struct TileLinkTransaction {
    std::uint64_t id = 0;           ///< from 1 on, one more for each
    std::uint64_t cycle_delta = 0;  ///< since the transaction before
    std::uint8_t clock = 1;         ///< an id of Header::clocks
    std::span<const TransactionMetadata> metadata;
    TileLinkMessage message;
};

/// One record as it stands in the stream.
class RecordView {
public:
    /// 0 where no record has been read.
    RecordType type() const noexcept { return bytes_.empty() ? RecordType{} : static_cast<RecordType>(bytes_[0]); }
    /// The whole record, its type included.
    std::span<const std::byte> bytes() const noexcept { return bytes_; }
    std::uint64_t offset() const noexcept { return offset_; }  ///< in the decompressed stream
    /// The first one behind damage: what was read since the last opcode (or transaction) belongs to none that follows.
    bool behind_loss() const noexcept { return behind_loss_; }

    // --- what it says; each throws Error::Kind::usage for a record of another type ---
    std::string_view comment() const;
    /// Of force_pc, target and event_target.
    std::uint64_t pc() const;
    std::uint64_t content() const;         ///< of memory_content and bus_content
    std::uint32_t opcode() const;          ///< of opcode32 and opcode16
    std::uint64_t instruction_pc() const;  ///< of opcode32 and opcode16: where the instruction was
    ProcessId process_id() const;
    /// Its value; of a vector, `word_count()` and `word()` have it.
    Register register_value() const;
    std::size_t word_count() const;                     ///< of a register_value: 64-bit words
    std::uint64_t word(std::size_t index) const;        ///< index < word_count()
    MemoryAccess memory_access() const;                 ///< without data, which are records of their own
    std::uint64_t event_id() const;                     ///< of an event; as wide as it stands there
    std::size_t field_count() const;                    ///< of an event
    std::uint64_t field(std::size_t index) const;       ///< index < field_count()
    std::uint64_t transaction_id() const;               ///< of a transaction; of a dependency that of the earlier one
    std::uint64_t cycle_delta() const;                  ///< of a transaction or dependency
    std::uint8_t clock() const;                         ///< of a transaction or dependency: an id of Header::clocks
    TileLinkMessage message() const;                    ///< of a transaction
    std::vector<TransactionMetadata> metadata() const;  ///< of a transaction

private:
    friend class RecordReader;
    void need(bool right, const char* what) const;

    std::span<const std::byte> bytes_;
    std::uint64_t offset_ = 0;
    std::uint64_t instruction_pc_ = 0;
    bool event64_ = false;
    bool behind_loss_ = false;
};

/// The records behind the header, one after the other. Damage ends them, but in a ZSTF file with a sound index, where
/// the next chunk follows what is lost; sound() is false from there on, and faults() says why.
class RecordReader {
public:
    /// `path` "-" is standard input.
    explicit RecordReader(const std::string& path);
    ~RecordReader();
    RecordReader(RecordReader&&) noexcept;
    RecordReader& operator=(RecordReader&&) noexcept;

    const Header& header() const noexcept;
    /// The next record; false at the end.
    bool next(RecordView& record);
    /// What was wrong so far; of each rule the first 20.
    std::vector<Fault> faults() const;
    /// Whether nothing was missing or damaged so far.
    bool sound() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Instructions with all that belongs to them, one after the other. Damage as for a RecordReader; the instructions
/// behind it keep their numbers, and what was read of one that it took is not given.
class InstructionReader {
public:
    explicit InstructionReader(const std::string& path);
    ~InstructionReader();
    InstructionReader(InstructionReader&&) noexcept;
    InstructionReader& operator=(InstructionReader&&) noexcept;

    const Header& header() const noexcept;
    /// The next instruction; false at the end. What stands behind the last one is then in rest().
    bool next(Instruction& instruction);
    /// Behind the end: the records that no instruction followed.
    std::span<const Event> rest() const noexcept;
    std::vector<Fault> faults() const;
    bool sound() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// How a trace is stored.
struct Storage {
    enum class Container : std::uint8_t { by_name, plain, zstf, gzip, zstd, xz };
    Container container = Container::by_name;  ///< by_name: .zstf, .gz, .zst, .xz, else plain
    std::uint64_t chunk = 100'000;             ///< instructions, or transactions, of a ZSTF chunk
    int level = 3;                             ///< of zstd, 1 to 19
    bool replace = false;                      ///< a file that is there; else it is an error
    /// The file stands there from its first whole chunk on (other containers than ZSTF: from finish() on), and is
    /// whole up to its last chunk whenever the program ends.
    bool growing = false;
    unsigned threads = 1;  ///< the caller's included, to compress ZSTF and zstd with; the file never depends on it
};

/// Writes records in the order given, whatever it is; of the typed calls those that fit the header's kind of trace. The
/// file appears, whole, when finish() has returned; an object that is destroyed before leaves no trace of it.
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
    /// A vector has exactly the words that the header's vector_bits ask for.
    void register_value(const Register& value);
    /// With its data.
    void memory_access(const MemoryAccess& access);
    void event(std::uint64_t id, std::span<const std::uint64_t> fields);
    void event_target(std::uint64_t pc);
    /// `size` is 2 or 4.
    void opcode(std::uint32_t encoding, std::uint8_t size);
    /// With TileLink's protocol in the header, whose clocks have the transaction's. An instruction trace has none.
    void transaction(const TileLinkTransaction& transaction);
    /// That the transaction to come depends on an earlier one.
    void dependency(std::uint64_t id, std::uint64_t cycle_delta, std::uint8_t clock);
    /// A record of any type that may stand behind a header, as RecordView::bytes() has it.
    void record(std::span<const std::byte> bytes);
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Writes instructions, and FORCE_PC where one is not where those before it lead.
class InstructionWriter {
public:
    InstructionWriter(const std::string& path, const Header& header, const Storage& storage = {});
    ~InstructionWriter();
    InstructionWriter(InstructionWriter&&) noexcept;
    InstructionWriter& operator=(InstructionWriter&&) noexcept;

    void write(const Instruction& instruction);
    /// Records that no instruction follows.
    void rest(std::span<const Event> events);
    /// The file appears. What of the instructions has no place in STF was left out, or made up: a line for each such
    /// thing, empty as a rule.
    std::vector<std::string> finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace::stf

#endif
