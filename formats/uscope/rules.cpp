#include "rules.hpp"

#include <array>
#include <utility>

#include "io/counted.hpp"

namespace hwtrace::uscope {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::second_trace) + 1> rule_table{{
    // --- header and preamble ---
    Rule{"USC001", error, damaged, "the file does not begin with a µScope header", "spec/uscope.txt 2",
         "Nothing can be read. The file is another format, empty, or lost its first bytes; take it from its source "
         "again."},
    Rule{"USC002", error, damaged, "this version of the format is not read", "spec/uscope.txt 2",
         "A major version other than 0 may mean other structures. Write the trace again with a tool that writes 0.3."},
    Rule{"USC003", error, damaged, "the compression method is unknown", "spec/uscope.txt 2.1, 8.6.7",
         "Only 0 (LZ4) and 1 (ZSTD) exist; a reader that guesses shows wrong data. Write the trace again with one of "
         "them."},
    Rule{"USC004", error, harmless, "the chain of preamble chunks is broken", "spec/uscope.txt 2.3",
         "Chunks must follow each other up to an END chunk, behind which the segments begin. Other readers refuse the "
         "file. Converting the file lays it out anew, with what could be found."},
    Rule{"USC005", error, harmless, "a mandatory chunk is missing or stands twice", "spec/uscope.txt 2.3",
         "Exactly one DUT, one SCHEMA and one CONFIG chunk are required; readers must refuse the file otherwise. Let "
         "the writer write one of each; converting the file does."},
    Rule{"USC006", error, damaged, "the schema's structures do not fit their chunk", "spec/uscope.txt 4.1",
         "Fields and names may be attributed to the wrong objects. The string pool must begin right behind the last "
         "structure. Let the writer count the bytes of each structure; check the names that are shown before relying "
         "on a file that was converted."},
    Rule{"USC007", warning, harmless, "a string of the schema is not a terminated UTF-8 string of the pool",
         "spec/uscope.txt 1.3",
         "The name shows empty or garbled in other tools. Offsets must lie inside the pool, strings end with NUL. "
         "Converting the file writes what is read of them."},
    Rule{"USC008", warning, harmless, "an object's id is not its index",
         "spec/uscope.txt 4.4-4.9; formats/uscope.md 1.4",
         "Tools use the id as an index and show the wrong object. Number scopes, clocks, storages and events from 0 in "
         "order. Converting the file does."},
    Rule{"USC009", error, harmless, "the trace defines no clock", "spec/uscope.txt 4.9",
         "Times cannot be shown as cycles. At least one clock domain must be defined. Converting the file writes "
         "one."},
    Rule{"USC010", warning, harmless, "a clock's period is 0 (unknown)", "spec/uscope.txt 4.9; formats/uscope.md 3",
         "Legal, but tools that show cycles divide by it. Write the true period."},
    Rule{"USC011", error, harmless, "the scopes are no tree below scope 0, or name a clock that is not there",
         "spec/uscope.txt 4.4",
         "Scope 0 is the root and the only one with parent 0xFFFF; every other parent and clock id must exist. Let the "
         "writer define scopes before what is in them; converting the file writes the tree that is shown."},
    Rule{"USC012", error, harmless, "a field has an unknown type or an enum that is not there",
         "spec/uscope.txt 4.2, 4.3",
         "Sizes of slots and events cannot be known; the field is taken as u8. Use the types 1 to 11 and existing "
         "enums."},
    // --- the file as a whole ---
    Rule{"USC013", warning, incomplete, "the trace was never closed", "spec/uscope.txt 2.2, 8.4",
         "The recording still runs or was interrupted: runtime strings, summary and the frames since the last segment "
         "are missing. Converting it writes a closed file."},
    Rule{"USC014", error, incomplete, "the file ends before its data does", "spec/uscope.txt 1.4",
         "It was cut while copying or the disk was full. Copy it again; what stands before the end has been read. "
         "hwtrace-recover makes a whole file of that."},
    Rule{"USC015", error, harmless, "the section table is unusable", "spec/uscope.txt 5",
         "Strings, summary and segment table cannot be found; segments were found by their chain. Converting the file "
         "rebuilds it."},
    Rule{"USC016", error, harmless, "the segment table differs from the segments", "spec/uscope.txt 8.3",
         "Tools that seek by the table show wrong times or miss segments. Converting the file rebuilds it."},
    Rule{"USC017", error, harmless, "the chain of segments is broken", "spec/uscope.txt 8.2",
         "Links must lead from the last segment strictly backwards to the first. Readers of live files lose or repeat "
         "segments; segments were found by search. Converting the file links them anew."},
    Rule{"USC018", error, damaged, "a segment's header is damaged", "spec/uscope.txt 8.1",
         "Where its magic or its times are no segment's, its frames cannot be read; reading goes on with the next. "
         "Copy the file again; hwtrace-recover makes a sound one of the other segments."},
    Rule{"USC019", error, damaged, "a segment's frames cannot be decompressed",
         "spec/uscope.txt 8.6.7; formats/uscope.md 1.7",
         "The frames of this segment are lost; reading goes on with the next. Copy the file again; hwtrace-recover "
         "makes a sound one of the other segments. Where all are like this, the header states the wrong method."},
    Rule{"USC020", error, damaged, "a segment's frames are malformed", "spec/uscope.txt 8.6.6",
         "Frames before this byte were read, the rest of the segment is lost. Copy the file again, or mend the writer "
         "at this item; hwtrace-recover makes a sound file of what was read."},
    Rule{"USC021", error, damaged, "a frame's time does not fit 63 bits", "spec/uscope.txt 8.6.1",
         "Times are picoseconds since the start, at most 2^63-1 (106 days). The rest of the segment is lost. Let the "
         "writer count picoseconds from the start of the recording."},
    Rule{"USC022", error, harmless, "a segment has another number of frames than its header says",
         "spec/uscope.txt 8.1",
         "Tools that trust num_frames or num_frames_active are misled. Converting the file corrects it."},
    Rule{"USC023", warning, harmless, "a stated time is not the frames' time",
         "spec/uscope.txt 2, 8.1; formats/uscope.md 1.5",
         "time_end is the time of the last frame, the next segment starts there, and total_time is the last frame of "
         "all. Seeking by time goes wrong. Converting the file states the true ones."},
    // --- items ---
    Rule{"USC024", warning, harmless, "an item does not fit the schema", "spec/uscope.txt 8.6.2, 8.6.4",
         "Unknown storage, field, event or action, or a payload of another size. It is kept as raw bytes and has no "
         "effect on the state. Define what is used in the schema."},
    Rule{"USC025", warning, harmless, "a frame mixes wide and compact operations, or could have been compact",
         "spec/uscope.txt 8.6.6",
         "All operations of a frame are compact when all of them can be, else all are wide. Readers decide item by "
         "item, so nothing is lost. Converting the file writes each frame as it should be."},
    Rule{"USC026", warning, incomplete,
         "a runtime string is not there: the trace was never closed, or its end is cut off", "spec/uscope.txt 2.2, 7",
         "A text stands for it that names its index: the string table is written when a trace is closed. Close the "
         "trace and fetch it again; what was never written cannot be recovered."},
    Rule{"USC027", error, harmless, "the string table is damaged", "spec/uscope.txt 7",
         "Strings outside the section are empty. Offsets count from the end of the index array. Converting the file "
         "writes a sound table of those that can be read."},
    // --- checkpoints and summary ---
    Rule{"USC028", error, harmless, "a checkpoint is malformed", "spec/uscope.txt 8.5",
         "Tools that seek show wrong state or crash. There is one block for each storage, in schema order, of the size "
         "that its slots take. Converting the file writes them anew."},
    Rule{"USC029", error, harmless, "a checkpoint is not the state that its operations make",
         "spec/uscope.txt 8, 8.5; formats/uscope.md 1.9",
         "Tools that seek show wrong values from here on. Converting the file writes right checkpoints."},
    Rule{"USC030", warning, harmless, "checkpoints hold the state at the end of their segment",
         "formats/uscope.md 0, 2",
         "A known dialect: the text says start, and seeking tools that take it literally apply every operation twice. "
         "Converting the file corrects it."},
    Rule{"USC031", error, harmless, "the trace summary is malformed", "spec/uscope.txt 6",
         "Overview displays are wrong or empty. Converting the file computes it anew."},
    Rule{"USC032", warning, harmless, "the trace summary's totals are not those of the trace",
         "spec/uscope.txt 6; formats/uscope.md 1.11",
         "Overview displays and the instruction count are wrong. Converting the file computes them anew."},
    // --- everything else ---
    Rule{"USC033", warning, harmless, "bytes belong to nothing", "formats/uscope.md 1.10",
         "Left over from an interrupted write, or data of a newer version. They are not carried over by a conversion. "
         "Look at them first where a newer version may have written them."},
    Rule{"USC034", note, harmless, "an enum field has a value without a name", "spec/uscope.txt 4.5",
         "Tools show a number, or nothing. Add the value to the enum."},
    Rule{"USC035", warning, harmless, "reserved bits are set", "spec/uscope.txt 2.1, 2.3, 4, 8.1",
         "They must be zero; a newer version may have given them a meaning that is ignored here. Converting the file "
         "clears them."},
    Rule{"USC036", note, harmless, "operations name slots that their storage does not have", "formats/uscope.md 0, 1.9",
         "Common in files whose slots are entity ids. They have no effect on the state; a larger num_slots would show "
         "them. Where ids are meant, use --rule USC036=off."},
    Rule{"USC037", note, harmless, "a chunk or section of unknown type was skipped", "spec/uscope.txt 2.3, 5",
         "Written by a newer version or another tool. It is not carried over by a conversion. Look whether it is of "
         "use before the original is removed."},
    Rule{"USC038", error, harmless, "the header's num_segments or tail_offset is not that of the segments",
         "spec/uscope.txt 2, 2.2", "Readers of live files miss segments. Converting the file corrects it."},
    Rule{"USC039", warning, harmless, "a property names a text that the string table does not have",
         "formats/uscope.md 1.3; README, long texts",
         "The property keeps the number instead of the text. Unfinished traces have no string table at all. Close the "
         "trace, or copy it again where it was cut."},
    Rule{"USC040", warning, harmless, "the minor version is not that of the file's structures",
         "spec/uscope.txt 2; formats/uscope.md 2",
         "Some tools wrote 0.2 into files whose structures are 0.3; others refuse them. Converting the file writes "
         "0.3."},
    Rule{"USC041", note, harmless, "the file's structures are older than 0.3", "formats/uscope.md 1.8, 2",
         "Everything in it is read, but tools for 0.3 cannot open it. Converting the file writes 0.3."},
    Rule{"USC042", note, harmless, "compressed frames have no size in front",
         "spec/uscope.txt 8.6.7; formats/uscope.md 1.7",
         "As the text describes it, but every known tool expects the uncompressed size (u32) before an LZ4 block and "
         "fails without. Converting the file writes it."},
    Rule{"USC043", note, harmless, "a buffer is not sparse", "spec/uscope.txt 4.6.1; formats/uscope.md 3",
         "Tools show each of its slots as occupied, always. Set both flags of the storage, 3."},
    Rule{"USC044", warning, harmless, "the checkpoint interval is 0", "spec/uscope.txt 3.2",
         "Every frame would need a segment of its own; tools that divide by it fail. State the time between "
         "checkpoints. A conversion with --uscope-checkpoint does."},
    Rule{"USC045", note, harmless, "the first segment does not start at 0", "formats/uscope.md 1.5",
         "Every known writer counts the first frame's time from 0; tools that do so too show other times. Converting "
         "the file corrects it."},
    Rule{"USC046", error, harmless, "two parts of the file claim the same bytes", "spec/uscope.txt 1.4, 5",
         "An offset or a size is wrong, and one of the parts shows wrong data. Converting the file lays it out anew."},
    Rule{"USC047", warning, harmless, "an operation's value is wider than its field",
         "spec/uscope.txt 8.6.2; formats/uscope.md 1.9",
         "Tools keep the low bytes and show another number. Make the field wider."},
    // --- the protocols cpu and noc ---
    Rule{"USC048", warning, harmless, "a scope of protocol cpu or noc lacks its table", "formats/uscope.md 4, 5",
         "Tools find no instructions (storage entities with entity_id and pc) or transactions; they refuse the file. "
         "Name the storage and its fields so, or give the scope another protocol where it is no cpu or noc."},
    Rule{"USC049", warning, harmless, "a scope of protocol cpu or noc lacks an event that the protocol needs",
         "formats/uscope.md 4, 5",
         "Tools refuse a cpu scope without any one of stage_transition, annotate, dependency and flush; a noc scope "
         "needs stage_transition. Declare them even if they never happen."},
    Rule{"USC050", warning, harmless, "a scope of protocol cpu or noc has no clock of its own",
         "formats/uscope.md 3, 4",
         "Tools do not look at the scopes above and take 1000 ps for a cycle. Give the scope a clock."},
    Rule{"USC051", warning, harmless, "an event of a protocol has another payload", "formats/uscope.md 4, 5",
         "Tools read such payloads by position, whatever the schema says: they show wrong entities and stages, or "
         "crash. Declare the payload as the protocol has it."},
    Rule{"USC052", warning, harmless, "an event names an entity that was not created before it",
         "formats/uscope.md 4, 5", "Tools drop such events. Set entity_id (noc: txn_id) in a slot of the table first."},
    Rule{"USC053", warning, harmless, "an entity enters a stage without a name", "formats/uscope.md 4, 5",
         "Tools show the first stage instead. Stages count from 0 in cpu.pipeline_stages (noc.pipeline_stages), or in "
         "the enum where there is no such property."},
    Rule{"USC054", warning, harmless, "a slot is taken by another entity while one lives in it", "formats/uscope.md 4",
         "The first one never retires for tools. Clear a slot when its entity is done."},
    Rule{"USC055", note, harmless, "a flushed entity keeps its slot", "formats/uscope.md 3, 4",
         "State at later times shows it as in flight. A flush is an event and a clear in the same frame."},
    // --- once more: items ---
    Rule{"USC056", error, damaged, "a text is not in the string table of a closed trace", "spec/uscope.txt 7",
         "A text stands for it that names its index. Indices count from 0 in the order of the table's entries. Copy "
         "the file again where it is damaged; else let the writer add each text before it closes the trace."},
    // --- once more: the file as a whole ---
    Rule{"USC057", error, incomplete, "another trace stands behind this one", "spec/uscope.txt 1.4, 5",
         "Two traces were joined in one file, and only the first one is read. Cut the file at this byte, and read both "
         "pieces; hwtrace-merge makes one trace of them."},
}};
static_assert(!rule_table.back().id.empty());

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

void report(Findings& findings, Check check, ByteRange at, std::string expected, std::string got, Place place) {
    Finding finding;
    finding.rule = &rule(check);
    finding.offset = at.offset;
    finding.length = at.length;
    finding.inner_offset = place.inner_offset;
    finding.time = place.time;
    finding.where = std::move(place.where);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings.report(std::move(finding));
}

void Tally::report(Findings& findings, Check check, ByteRange at, Place place, std::string_view expected,
                   std::string_view one, std::string_view several) {
    if (total == 0) return;
    place.inner_offset = first;
    uscope::report(findings, check, at, std::string(expected), counted(total, one, several), std::move(place));
    *this = {};
}

}  // namespace hwtrace::uscope
