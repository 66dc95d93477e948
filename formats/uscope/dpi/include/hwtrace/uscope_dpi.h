/* hwtrace/uscope_dpi.h - the functions that the SystemVerilog package uscope_pkg imports (µScope Trace Format
 * Specification, 9.1). Simulators call them through DPI: a chandle is a void *, and an open array is a handle. A
 * program without a simulator can call them too, if it defines svLow(), svHigh() and svGetArrElemPtr1() of svdpi.h,
 * which read its arrays. */
#ifndef HWTRACE_USCOPE_DPI_H
#define HWTRACE_USCOPE_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a trace at `path`. Declare its contents next; the first cycle or uscope_dpi_string() creates the file. Returns
 * NULL only if out of memory. */
void* uscope_dpi_open(const char* path);
/* Closes the trace. Traces that are still open are closed when the process exits. */
void uscope_dpi_close(void* w);

/* Declarations return the id of the new object, or -1 on failure: a name is empty, an id or a type does not exist, a
 * number is out of range, or the file has been created already. Ids of clocks and scopes begin with 0. Without a
 * declared clock, there is a clock "clk" of 1000 ps. */
int uscope_dpi_declare_clock(void* w, const char* name, uint32_t period_ps);
/* `parent`: a scope, or -1 for the root, which is declared first. `protocol`: "" for none. `clock`: -1 for the clock of
 * the parent. */
int uscope_dpi_declare_scope(void* w, const char* name, int parent, const char* protocol, int clock);
int uscope_dpi_declare_enum(void* w, const char* name);
int uscope_dpi_declare_enum_value(void* w, int enum_id, uint8_t value, const char* name);
/* `flags`: USCOPE_SPARSE and USCOPE_BUFFER of hwtrace/uscope.h. */
int uscope_dpi_declare_storage(void* w, const char* name, uint32_t slots, int flags, int scope);
int uscope_dpi_declare_event(void* w, const char* name, int scope);
/* Declares a field of a storage's slots. `enum_id` is used for the type USCOPE_ENUM only. */
int uscope_dpi_declare_field(void* w, int storage_id, const char* name, int type, int enum_id);
/* Declares a property of a storage. `role` and `pair`: see uscope_field_t. */
int uscope_dpi_declare_property(void* w, int storage_id, const char* name, int type, int enum_id, int role, int pair);
int uscope_dpi_declare_event_field(void* w, int event_type_id, const char* name, int type, int enum_id);
int uscope_dpi_declare_dut_property(void* w, const char* key, const char* value);
/* Sets the time between checkpoints in ps. This is an error after the file was created. */
void uscope_dpi_set_checkpoint_interval(void* w, uint64_t interval_ps);
/* `compression`: 0 LZ4, 1 ZSTD, 2 none. `sync_segments`, `threads`: see uscope_writer_options_t. This call is an error
 * after the file was created. */
void uscope_dpi_set_options(void* w, int compression, int sync_segments, int threads);

/* Record cycles and operations. Each function works like the one of hwtrace/uscope.h without "dpi_" in its name. */
void uscope_dpi_begin_cycle(void* w, uint64_t time_ps);
void uscope_dpi_end_cycle(void* w);
void uscope_dpi_slot_set(void* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
void uscope_dpi_slot_clear(void* w, uint16_t storage_id, uint16_t slot);
void uscope_dpi_slot_add(void* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
void uscope_dpi_prop_set(void* w, uint16_t storage_id, uint16_t property, uint64_t value);
/* `payload`: byte unsigned []; `values`: longint unsigned [], one for each field. */
void uscope_dpi_event_raw(void* w, uint16_t event_type_id, void* payload);
void uscope_dpi_event_values(void* w, uint16_t event_type_id, void* values);
/* Returns the value that represents this string in string fields; -1 on failure. */
int uscope_dpi_string(void* w, const char* text);
void uscope_dpi_flush_segment(void* w);

/* Returns the error that ended the recording (disk full), else the first error of the trace; "" if there was no error.
 * Both errors are also printed to standard error. */
const char* uscope_dpi_error(void* w);

#ifdef __cplusplus
}
#endif

#endif
