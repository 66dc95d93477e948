/* hwtrace/reference/uscope_dpi.h - the names and signatures of the C library that accompanies the µScope Trace Format
 * Specification. A program that was written for its uscope_dpi.h records with hwtrace after compiling it again.
 *
 * A schema is built object by object. Types, readers, errors and options are those of hwtrace/uscope.h, which this
 * header includes. Where a function has the same name in both headers, this header's is used.
 *
 * Calls that the reference ignores or answers with an assertion do nothing and keep an error: see
 * uscope_writer_status(). uscope_last_error() returns the reason if a writer cannot be opened. */
#ifndef USCOPE_DPI_H
#define USCOPE_DPI_H

#include <hwtrace/uscope.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uscope_schema uscope_schema_def_t;

#define USCOPE_FT_U8 0x01
#define USCOPE_FT_U16 0x02
#define USCOPE_FT_U32 0x03
#define USCOPE_FT_U64 0x04
#define USCOPE_FT_I8 0x05
#define USCOPE_FT_I16 0x06
#define USCOPE_FT_I32 0x07
#define USCOPE_FT_I64 0x08
#define USCOPE_FT_BOOL 0x09
#define USCOPE_FT_STRING_REF 0x0A
#define USCOPE_FT_ENUM 0x0B

#define USCOPE_SF_SPARSE 0x0001
#define USCOPE_SF_BUFFER 0x0002

#define USCOPE_PROP_ROLE_PLAIN 0
#define USCOPE_PROP_ROLE_HEAD_PTR 1
#define USCOPE_PROP_ROLE_TAIL_PTR 2

/* Returns an empty schema, or NULL if out of memory. */
uscope_schema_def_t* uscope_ref_schema_new(void);
/* Frees a schema that was not passed to uscope_writer_open(). */
void uscope_ref_schema_free(uscope_schema_def_t* s);

/* Add an object and return its id. On failure (a NULL argument, out of memory) they return the largest value of the
 * type. Names are copied. */
uint8_t uscope_ref_schema_add_clock(uscope_schema_def_t* s, const char* name, uint32_t period_ps);
/* `parent`: 0xFFFF for the root, which is added first. `protocol`: NULL for none. `clock_id`: 0xFF for the clock of the
 * parent. */
uint16_t uscope_ref_schema_add_scope(uscope_schema_def_t* s, const char* name, uint16_t parent, const char* protocol,
                                     uint8_t clock_id);
/* The values are numbered from 0. */
uint8_t uscope_ref_schema_add_enum(uscope_schema_def_t* s, const char* name, const char** values, uint8_t count);
/* The arrays have an element for each field. `field_enum_ids` may be NULL. */
uint16_t uscope_ref_schema_add_storage(uscope_schema_def_t* s, const char* name, uint16_t scope_id, uint16_t num_slots,
                                       uint16_t flags, uint16_t num_fields, const char** field_names,
                                       const uint8_t* field_types, const uint8_t* field_enum_ids);
/* Does the same for a storage with properties. `prop_enum_ids`, `prop_roles` and `prop_pair_ids` may be NULL. */
uint16_t uscope_ref_schema_add_storage_with_properties(uscope_schema_def_t* s, const char* name, uint16_t scope_id,
                                                       uint16_t num_slots, uint16_t flags, uint16_t num_fields,
                                                       const char** field_names, const uint8_t* field_types,
                                                       const uint8_t* field_enum_ids, uint16_t num_properties,
                                                       const char** prop_names, const uint8_t* prop_types,
                                                       const uint8_t* prop_enum_ids, const uint8_t* prop_roles,
                                                       const uint8_t* prop_pair_ids);
uint16_t uscope_ref_schema_add_event(uscope_schema_def_t* s, const char* name, uint16_t scope_id, uint16_t num_fields,
                                     const char** field_names, const uint8_t* field_types,
                                     const uint8_t* field_enum_ids);

/* Creates the file and frees the schema, even on failure. Returns NULL on failure. An interval of 0 means 20,000 cycles
 * of the first clock. */
uscope_writer_t* uscope_ref_writer_open(const char* path, const uscope_dut_property_t* props, uint16_t num_props,
                                        uscope_schema_def_t* schema, uint64_t checkpoint_interval_ps);
void uscope_ref_writer_close(uscope_writer_t* w);

void uscope_ref_begin_cycle(uscope_writer_t* w, uint64_t time_ps);
void uscope_ref_slot_set(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
void uscope_ref_slot_clear(uscope_writer_t* w, uint16_t storage_id, uint16_t slot);
void uscope_ref_slot_add(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
void uscope_ref_prop_set(uscope_writer_t* w, uint16_t storage_id, uint16_t prop_index, uint64_t value);
void uscope_ref_event(uscope_writer_t* w, uint16_t event_type_id, const void* payload, uint32_t payload_size);
void uscope_ref_end_cycle(uscope_writer_t* w);
/* Returns the value that represents this string in fields of type USCOPE_FT_STRING_REF, or 0xFFFFFFFF on failure. */
uint32_t uscope_ref_string_insert(uscope_writer_t* w, const char* str);

/* The names of the reference. The functions have other symbols, so that a process can use both headers. */
#ifndef USCOPE_REF_NAMES_ONLY
#define uscope_schema_new uscope_ref_schema_new
#define uscope_schema_free uscope_ref_schema_free
#define uscope_schema_add_clock uscope_ref_schema_add_clock
#define uscope_schema_add_scope uscope_ref_schema_add_scope
#define uscope_schema_add_enum uscope_ref_schema_add_enum
#define uscope_schema_add_storage uscope_ref_schema_add_storage
#define uscope_schema_add_storage_with_properties uscope_ref_schema_add_storage_with_properties
#define uscope_schema_add_event uscope_ref_schema_add_event
#define uscope_writer_open uscope_ref_writer_open
#define uscope_writer_close uscope_ref_writer_close
#define uscope_begin_cycle uscope_ref_begin_cycle
#define uscope_slot_set uscope_ref_slot_set
#define uscope_slot_clear uscope_ref_slot_clear
#define uscope_slot_add uscope_ref_slot_add
#define uscope_prop_set uscope_ref_prop_set
#define uscope_event uscope_ref_event
#define uscope_end_cycle uscope_ref_end_cycle
#define uscope_string_insert uscope_ref_string_insert
#endif

#ifdef __cplusplus
}
#endif

#endif
