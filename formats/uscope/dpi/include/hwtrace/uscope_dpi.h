/* hwtrace/uscope_dpi.h - what the SystemVerilog package uscope_pkg imports (spec/uscope.txt 9.1); simulators call it.
 * A program without a simulator may too, and defines svLow(), svHigh() and svGetArrElemPtr1() of svdpi.h, which read
 * its arrays. Types are those that DPI gives: chandle is void *, an open array a handle. */
#ifndef HWTRACE_USCOPE_DPI_H
#define HWTRACE_USCOPE_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A trace that shall stand at `path`. What it consists of is declared next; the file is created by the first cycle, or
 * by uscope_dpi_string(). NULL only without memory. */
void* uscope_dpi_open(const char* path);
/* Closes the trace; traces that are still open when the process exits are closed then. */
void uscope_dpi_close(void* w);

/* Declarations return the id of what they declare, and -1 on failure: a name is empty, an id or a type does not exist,
 * a number is out of range, or the file has been created already. The first declared clock and the first declared scope
 * get id 0; where no clock is declared, there is one named "clk" of 1000 ps. */
int uscope_dpi_declare_clock(void* w, const char* name, uint32_t period_ps);
/* `parent`: a scope, or -1 for the root, which comes first. `protocol`: "" for none. `clock`: -1 for that of the scope
 * above. */
int uscope_dpi_declare_scope(void* w, const char* name, int parent, const char* protocol, int clock);
int uscope_dpi_declare_enum(void* w, const char* name);
int uscope_dpi_declare_enum_value(void* w, int enum_id, uint8_t value, const char* name);
/* `flags`: of hwtrace/uscope.h. */
int uscope_dpi_declare_storage(void* w, const char* name, uint32_t slots, int flags, int scope);
int uscope_dpi_declare_event(void* w, const char* name, int scope);
/* A field of a storage's slots; `enum_id` matters for the type USCOPE_ENUM only. */
int uscope_dpi_declare_field(void* w, int storage_id, const char* name, int type, int enum_id);
/* A property of a storage; `role` and `pair`: see uscope_field_t. */
int uscope_dpi_declare_property(void* w, int storage_id, const char* name, int type, int enum_id, int role, int pair);
int uscope_dpi_declare_event_field(void* w, int event_type_id, const char* name, int type, int enum_id);
int uscope_dpi_declare_dut_property(void* w, const char* key, const char* value);
/* An error once the file has been created. */
void uscope_dpi_set_checkpoint_interval(void* w, uint64_t interval_ps);
/* 0 LZ4, 1 ZSTD, 2 none; whether segments are made durable one by one; threads. An error once the file has been
 * created. */
void uscope_dpi_set_options(void* w, int compression, int sync_segments, int threads);

/* What happens, as the functions of hwtrace/uscope.h without "dpi_". */
void uscope_dpi_begin_cycle(void* w, uint64_t time_ps);
void uscope_dpi_end_cycle(void* w);
void uscope_dpi_slot_set(void* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
void uscope_dpi_slot_clear(void* w, uint16_t storage_id, uint16_t slot);
void uscope_dpi_slot_add(void* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
void uscope_dpi_prop_set(void* w, uint16_t storage_id, uint16_t property, uint64_t value);
/* `payload`: byte unsigned []; `values`: longint unsigned [], one for each field. */
void uscope_dpi_event_raw(void* w, uint16_t event_type_id, void* payload);
void uscope_dpi_event_values(void* w, uint16_t event_type_id, void* values);
/* The value of string fields for this text; -1 on failure. */
int uscope_dpi_string(void* w, const char* text);
void uscope_dpi_flush_segment(void* w);

/* The first error of the trace, or the one that has ended its recording (disk full), each of which has also been
 * printed to standard error; "" when there is none. */
const char* uscope_dpi_error(void* w);

#ifdef __cplusplus
}
#endif

#endif
