/* formats/flux/emitter/trace.c - traces: heads, items, opening and closing, labels of values, relations and labels. */
#include "entry.h"

const char* flux_result_text(flux_result result) {
    switch (result) {
        case FLUX_OK:
            return "done";
        case FLUX_ERROR_COMMAND:
            return "the buffer does not support this command";
        case FLUX_ERROR_ROOM:
            return "no room in the buffer";
        case FLUX_ERROR_VALUE:
            return "invalid value";
        case FLUX_ERROR_SIZE:
            return "invalid size";
        case FLUX_ERROR_ID:
            return "invalid id";
        case FLUX_ERROR_NO_BUFFER:
            return "no buffer";
        case FLUX_ERROR_OPENING:
            return "no sync head before this call";
        case FLUX_ERROR_DEFINED:
            return "defined already";
        case FLUX_ERROR_NOT_DEFINED:
            return "not defined";
        case FLUX_ERROR_PARENT:
            return "the parent is not a scope";
        case FLUX_ERROR_OPEN:
            return "open already";
        case FLUX_ERROR_CHILD_OPEN:
            return "an item inside is open";
        case FLUX_ERROR_NOT_OPEN:
            return "not open";
        case FLUX_ERROR_POSITION:
            return "before the current position";
        case FLUX_ERROR_IO:
            return "writing failed";
        case FLUX_ERROR_PARSE:
            return "not a control entry";
        case FLUX_MORE:
            return "more bytes are needed";
        case FLUX_ERROR_PACKING:
            return "packing failed";
        case FLUX_END:
            return "nothing left";
        case FLUX_ERROR_BUFFER_USED:
            return "the buffers form a loop";
        case FLUX_EXIT:
            return "ended";
    }
    return "unknown result";
}

flux_result flux_trace_init(flux_trace* trace, uint32_t id, uint8_t version, uint32_t max_item, uint32_t max_entry,
                            flux_item* items) {
    static const flux_trace empty;
    static const flux_item none;
    uint32_t i;
    if (!trace) return FLUX_ERROR_VALUE;
    *trace = empty;
    if (version != FLUX_VERSION_4 && version != FLUX_VERSION_6 && version != FLUX_IMPULSE_3) return FLUX_ERROR_VALUE;
    if (max_item == 0 || max_item > FLUX_MAX_ITEM) return FLUX_ERROR_ID;
    trace->id = id;
    trace->version = version == FLUX_IMPULSE_3 ? FLUX_VERSION_6 : version;
    trace->impulse_3 = version == FLUX_IMPULSE_3;
    trace->max_item = max_item;
    trace->max_entry = max_entry;
    trace->items = items;
    if (items) {
        for (i = 0; i <= max_item; i++)
            items[i] = none;
        items[0].kind = KIND_SCOPE;
    }
    return FLUX_OK;
}

flux_result flux_trace_attach(flux_trace* trace, flux_buffer* buffer) {
    uint32_t i;
    if (!trace) return FLUX_ERROR_VALUE;
    if (buffer && !buffer->access) return FLUX_ERROR_NO_BUFFER;
    trace->buffer = buffer;
    if (buffer && buffer->sections) { /* no section states a position of this trace yet */
        trace->single.lap = buffer->lap - 1;
        for (i = 0; trace->items && i <= trace->max_item; i++)
            trace->items[i].lap = buffer->lap - 1;
    }
    return FLUX_OK;
}

flux_result flux_internal_begin_entry(flux_trace* trace, uint32_t room, uint8_t** out) {
    flux_buffer* buffer = trace->buffer;
    flux_result result;
    if (!buffer) return FLUX_ERROR_NO_BUFFER;
    result = reserve(buffer, room + switch_room(buffer, trace->id));
    if (result == FLUX_OK) *out = append_switch_where_needed(buffer, trace->id, buffer->at);
    return result;
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

static flux_result write_head(flux_trace* trace, const char* magic, const char* name, const char* description,
                              uint8_t mode) {
    const uint32_t name_size = text_size(name);
    const uint32_t description_size = text_size(description);
    flux_buffer* buffer;
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    buffer = trace->buffer;
    if (!buffer) return FLUX_ERROR_NO_BUFFER;
    if (name_size + description_size >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    result = reserve(buffer, ROOM_TAG + 4 + 1 + 5 * ROOM_PINT + 1 + name_size + description_size);
    if (result != FLUX_OK) return result;
    if (buffer->at == buffer->memory) buffer->first_trace = FLUX_NO_TRACE;
    if (buffer->trace != FLUX_NO_TRACE && buffer->trace != trace->id) buffer->shared = true;
    buffer->trace = trace->id;
    out = append_bytes(append_tag(buffer->at, TAG_HEAD), magic, 4);
    *out++ = trace->version;
    out = append_value(append_value(append_pint(out, trace->id), name, name_size), description, description_size);
    *out++ = mode;
    return commit(buffer, append_pint(append_pint(out, trace->max_item), trace->max_entry));
}

flux_result flux_write_head(flux_trace* trace, const char* name, const char* description) {
    return write_head(trace, "flux", name, description, 0);
}

flux_result flux_write_derived_head(flux_trace* trace, const char* magic, const char* name, const char* description) {
    if (text_size(magic) != 4) return FLUX_ERROR_VALUE;
    return write_head(trace, magic, name, description, 0);
}

flux_result flux_write_sync_head(flux_trace* trace, const char* name, const char* description) {
    const flux_result result = write_head(trace, "flux", name, description, 1);
    if (result == FLUX_OK) trace->repeating = true;
    return result;
}

/* ---- definitions of impulse 3 ------------------------------------------------------------------------------------ */

#define NO_SCALE UINT32_MAX

flux_result flux_tag_next(flux_trace* trace, const char* tags) {
    if (!trace || !trace->impulse_3) return FLUX_ERROR_VALUE;
    trace->tags = tags;
    return FLUX_OK;
}

static uint8_t* append_tags(flux_trace* trace, uint8_t* out, uint32_t size) {
    out = append_value(out, trace->tags, size);
    trace->tags = NULL;
    return out;
}

/* Appends a scale in zigzag encoding. */
static uint8_t* append_scale(uint8_t* out, uint32_t scale) {
    return append_pint(out, scale == NO_SCALE ? 1 : scale * 2);
}

/* Returns the value of `key` in a descriptor "name<key=value,...>", or NULL. `key` includes the equals sign. */
static const char* value_in(const char* descriptor, const char* key) {
    const char* at = descriptor;
    while (at && *at != '\0') {
        const bool begins = *at == '<' || *at == ',';
        const char* word = ++at;
        const char* wanted = key;
        if (!begins) continue;
        while (*wanted != '\0' && *word == *wanted) {
            word++;
            wanted++;
        }
        if (*wanted == '\0') return word;
    }
    return NULL;
}

/* Returns the width that a descriptor states for a logic signal; 1 if it states none. */
static uint32_t states_of(const char* descriptor) {
    const char* at = value_in(descriptor, "bits=");
    uint32_t states = 0;
    while (at && *at >= '0' && *at <= '9' && states < MAX_ENTRY / 10)
        states = states * 10 + (uint32_t)(*at++ - '0');
    return states > 0 ? states : 1;
}

/* Appends the display format that a descriptor states, in small letters. */
static uint8_t* append_format(uint8_t* out, const char* descriptor) {
    const char* at = value_in(descriptor, "df=");
    uint32_t size = 0;
    uint32_t i;
    while (at && at[size] != '\0' && at[size] != ',' && at[size] != '>')
        size++;
    out = append_pint(out, size);
    for (i = 0; i < size; i++)
        *out++ = (uint8_t)(at[i] >= 'A' && at[i] <= 'Z' ? at[i] - 'A' + 'a' : at[i]);
    return out;
}

uint8_t flux_internal_signal_type(const flux_trace* trace, uint8_t type) {
    if (!trace->impulse_3) return type;
    return type == FLUX_LOGIC ? 5 : type == FLUX_FLOAT || type == FLUX_TEXT ? (uint8_t)(type - 1) : type;
}

uint8_t flux_internal_member_type(const flux_trace* trace, uint8_t type) {
    static const uint8_t types[16] = {0, 4, 1, 2, 3, 5, 6, 1, 1, 7, 8, 9, 10, 11, 14, 15};
    return trace->impulse_3 ? (uint8_t)((type & 0xF0) | types[type & 0x0F]) : type;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

typedef struct definition {
    uint8_t tag;
    uint32_t item;
    uint32_t last; /* last id, if the entry defines several signals */
    uint32_t parent;
    const char* name;
    const char* description;
    uint8_t type;
    const char* descriptor;
    uint32_t from;
    uint32_t to;
} definition;

static bool is_reference(const definition* what) {
    return what->tag == TAG_REFERENCE || what->tag == TAG_SCATTERED_REFERENCE;
}

static flux_result check_new(const flux_trace* trace, const definition* what) {
    const uint8_t kind = what->tag == TAG_SCOPE ? KIND_SCOPE : KIND_SIGNAL;
    uint32_t item;
    if (what->item == 0 || what->item > what->last || what->last > trace->max_item) return FLUX_ERROR_ID;
    if (what->type > FLUX_TEXT_ARRAY || what->from > what->to) return FLUX_ERROR_VALUE;
    if (what->parent > trace->max_item) return FLUX_ERROR_PARENT;
    if (!trace->items) return FLUX_OK;
    for (item = what->item; item <= what->last; item++) {
        const uint8_t there = trace->items[item].kind;
        if (is_reference(what)) {
            if (there != KIND_SIGNAL) return FLUX_ERROR_NOT_DEFINED;
        } else if (there != KIND_UNDEFINED && !(trace->repeating && there == kind)) {
            return FLUX_ERROR_DEFINED;
        }
    }
    return trace->items[what->parent].kind == KIND_SCOPE ? FLUX_OK : FLUX_ERROR_PARENT;
}

static void remember(flux_trace* trace, const definition* what) {
    uint32_t item;
    if (!trace->items || is_reference(what)) return;
    for (item = what->item; item <= what->last; item++) {
        flux_item* entry = &trace->items[item];
        if (entry->kind != KIND_UNDEFINED) continue;
        entry->kind = what->tag == TAG_SCOPE ? KIND_SCOPE : KIND_SIGNAL;
        entry->parent = what->parent;
        entry->open = trace->items[what->parent].open;
        entry->context = trace->items[what->parent].context;
    }
}

static flux_result define(flux_trace* trace, const definition* what) {
    const bool has_type = what->tag != TAG_SCOPE && !is_reference(what);
    const uint32_t tags_size = text_size(trace ? trace->tags : NULL);
    const uint32_t name_size = text_size(what->name);
    const uint32_t description_size = text_size(what->description);
    const uint32_t descriptor_size = text_size(what->descriptor);
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    result = check_new(trace, what);
    if (result != FLUX_OK) return result;
    if (name_size + description_size + descriptor_size + tags_size >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    result = flux_internal_begin_entry(
        trace, ROOM_TAG + 10 * ROOM_PINT + 1 + name_size + description_size + descriptor_size + tags_size, &out);
    if (result != FLUX_OK) return result;
    remember(trace, what);
    out = append_pint(append_tag(out, what->tag), what->item);
    if (what->tag == TAG_SIGNALS) out = append_pint(out, what->last);
    out = append_value(append_value(append_pint(out, what->parent), what->name, name_size), what->description,
                       description_size);
    if (trace->impulse_3) out = append_tags(trace, out, tags_size);
    if (has_type && trace->impulse_3) {
        *out++ = flux_internal_signal_type(trace, what->type);
        out = append_scale(out, what->type == FLUX_LOGIC ? states_of(what->descriptor) : NO_SCALE);
        out = append_format(out, what->descriptor);
    } else if (has_type) {
        *out++ = what->type;
        out = append_value(out, what->descriptor, descriptor_size);
    }
    if (what->tag == TAG_SCATTERED || what->tag == TAG_SCATTERED_REFERENCE)
        out = append_pint(append_pint(out, what->from), what->to);
    return commit(trace->buffer, out);
}

static definition definition_of(uint8_t tag, uint32_t item, uint32_t parent, const char* name,
                                const char* description) {
    static const definition empty;
    definition what = empty;
    what.tag = tag;
    what.item = item;
    what.last = item;
    what.parent = parent;
    what.name = name;
    what.description = description;
    return what;
}

flux_result flux_add_scope(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                           const char* description) {
    const definition what = definition_of(TAG_SCOPE, item, parent, name, description);
    return define(trace, &what);
}

flux_result flux_add_signal(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                            const char* description, flux_type type, const char* descriptor) {
    definition what = definition_of(TAG_SIGNAL, item, parent, name, description);
    what.type = (uint8_t)type;
    what.descriptor = descriptor;
    return define(trace, &what);
}

flux_result flux_add_signals(flux_trace* trace, uint32_t first, uint32_t last, uint32_t parent, const char* name,
                             const char* description, flux_type type, const char* descriptor) {
    definition what = definition_of(TAG_SIGNALS, first, parent, name, description);
    what.last = last;
    what.type = (uint8_t)type;
    what.descriptor = descriptor;
    return define(trace, &what);
}

flux_result flux_add_reference(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                               const char* description) {
    const definition what = definition_of(TAG_REFERENCE, item, parent, name, description);
    return define(trace, &what);
}

flux_result flux_add_scattered(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                               const char* description, flux_type type, const char* descriptor, uint32_t from,
                               uint32_t to) {
    definition what = definition_of(TAG_SCATTERED, item, parent, name, description);
    what.type = (uint8_t)type;
    what.descriptor = descriptor;
    what.from = from;
    what.to = to;
    return define(trace, &what);
}

flux_result flux_add_scattered_reference(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                                         const char* description, uint32_t from, uint32_t to) {
    definition what = definition_of(TAG_SCATTERED_REFERENCE, item, parent, name, description);
    what.from = from;
    what.to = to;
    return define(trace, &what);
}

/* ---- open and close ---------------------------------------------------------------------------------------------- */

uint8_t* flux_internal_append_current(uint8_t* out, uint32_t item, int64_t position) {
    return append_sint(append_pint(append_tag(out, TAG_CURRENT), item), position);
}

flux_result flux_set_default_domain(flux_trace* trace, const char* domain) {
    const uint32_t size = text_size(domain);
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    result = flux_internal_begin_entry(trace, ROOM_TAG + ROOM_PINT + size, &out);
    if (result != FLUX_OK) return result;
    return commit(trace->buffer, append_value(append_tag(out, TAG_DOMAIN), domain, size));
}

static flux_result write_open(flux_trace* trace, uint32_t item, const char* domain, int64_t start, uint32_t rate) {
    const uint32_t size = text_size(domain);
    uint8_t* out;
    const flux_result result = flux_internal_begin_entry(trace, ROOM_TAG + 2 * ROOM_PINT + size + 2 * ROOM_SINT, &out);
    if (result != FLUX_OK) return result;
    out = append_value(append_pint(append_tag(out, TAG_OPEN), item), domain, size);
    return commit(trace->buffer, append_sint(append_sint(out, start), rate));
}

/* Returns true if `item` is `scope` or inside it. */
static bool is_in(const flux_trace* trace, uint32_t item, uint32_t scope) {
    while (item != scope && item != 0)
        item = trace->items[item].parent;
    return item == scope;
}

static flux_result check_open(const flux_trace* trace, uint32_t item) {
    uint32_t i;
    if (item > trace->max_item) return FLUX_ERROR_ID;
    if (!trace->items) return trace->single.open ? FLUX_ERROR_OPEN : FLUX_OK;
    if (trace->items[item].kind == KIND_UNDEFINED) return FLUX_ERROR_NOT_DEFINED;
    if (trace->items[item].open) return FLUX_ERROR_OPEN;
    for (i = 1; i <= trace->max_item; i++)
        if (trace->items[i].open && is_in(trace, i, item)) return FLUX_ERROR_CHILD_OPEN;
    return FLUX_OK;
}

flux_result flux_open(flux_trace* trace, uint32_t item, const char* domain, int64_t start, uint32_t rate) {
    flux_item* context;
    flux_result result;
    uint32_t i;
    if (!trace) return FLUX_ERROR_VALUE;
    result = check_open(trace, item);
    if (result == FLUX_OK) result = write_open(trace, item, domain, start, rate);
    if (result != FLUX_OK) return result;
    context = trace->items ? &trace->items[item] : &trace->single;
    context->position = start;
    context->lap = trace->buffer->lap;
    context->context = item;
    context->open = true;
    for (i = 1; trace->items && i <= trace->max_item; i++) {
        if (trace->items[i].kind == KIND_UNDEFINED || !is_in(trace, i, item)) continue;
        trace->items[i].open = true;
        trace->items[i].context = item;
    }
    return FLUX_OK;
}

/* Finds the current position of an item that has its own open, not only an open scope around it. */
static flux_result find_opened(flux_trace* trace, uint32_t item, flux_item** context) {
    const flux_result result = find_context(trace, item, true, context);
    if (result != FLUX_OK) return result;
    return (*context)->context == item ? FLUX_OK : FLUX_ERROR_NOT_OPEN;
}

flux_result flux_repeat_open(flux_trace* trace, uint32_t item, const char* domain, uint32_t rate) {
    flux_item* context;
    flux_result result;
    if (!trace) return FLUX_ERROR_VALUE;
    if (!trace->repeating) return FLUX_ERROR_OPENING;
    result = find_opened(trace, item, &context);
    if (result == FLUX_OK) result = write_open(trace, item, domain, context->position, rate);
    return result;
}

flux_result flux_close(flux_trace* trace, uint32_t item, int64_t end) {
    flux_item* context;
    flux_result result;
    uint8_t* out;
    uint32_t i;
    if (!trace) return FLUX_ERROR_VALUE;
    result = find_opened(trace, item, &context);
    if (result == FLUX_OK) result = flux_internal_begin_entry(trace, ROOM_TAG + ROOM_PINT + ROOM_SINT, &out);
    if (result != FLUX_OK) return result;
    if (end < context->position) end = context->position < INT64_MAX ? context->position + 1 : INT64_MAX;
    context->open = false;
    for (i = 1; trace->items && i <= trace->max_item; i++)
        if (trace->items[i].context == item) trace->items[i].open = false;
    return commit(trace->buffer, append_sint(append_pint(append_tag(out, TAG_CLOSE), item), end));
}

flux_result flux_restart(flux_trace* trace) {
    flux_item* context;
    uint32_t i;
    if (!trace) return FLUX_ERROR_VALUE;
    if (!trace->buffer) return FLUX_ERROR_NO_BUFFER;
    context = trace->items ? trace->items : &trace->single;
    context->position = 0;
    context->lap = trace->buffer->lap;
    context->context = 0;
    context->open = true;
    for (i = 1; trace->items && i <= trace->max_item; i++) {
        if (trace->items[i].kind == KIND_UNDEFINED) continue;
        trace->items[i].open = true;
        trace->items[i].context = 0;
    }
    return FLUX_OK;
}

flux_result flux_set_current(flux_trace* trace, uint32_t item, int64_t position) {
    flux_item* context;
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    result = find_context(trace, item, true, &context);
    if (result != FLUX_OK) return result;
    if (position < context->position) return FLUX_ERROR_POSITION;
    result = flux_internal_begin_entry(trace, ROOM_CURRENT, &out);
    if (result != FLUX_OK) return result;
    context->position = position;
    context->lap = trace->buffer->lap;
    return commit(trace->buffer, flux_internal_append_current(out, item, position));
}

/* ---- labels of values, relations, labels ------------------------------------------------------------------------- */

/* Begins an entry that requires an open signal. */
static flux_result begin_note(flux_trace* trace, uint32_t item, uint8_t tag, uint32_t room, uint8_t** out) {
    flux_item* context;
    flux_result result;
    if (!trace) return FLUX_ERROR_VALUE;
    if (room >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    result = find_context(trace, item, false, &context);
    if (result == FLUX_OK) result = flux_internal_begin_entry(trace, ROOM_TAG + ROOM_PINT + room, out);
    if (result == FLUX_OK) *out = append_pint(append_tag(*out, tag), item);
    return result;
}

flux_result flux_define_enum(flux_trace* trace, uint32_t item, uint32_t enumeration, const char* label,
                             uint32_t value) {
    const uint32_t size = text_size(label);
    uint8_t* out;
    const flux_result result = begin_note(trace, item, TAG_ENUM, 3 * ROOM_PINT + size, &out);
    if (result != FLUX_OK) return result;
    return commit(trace->buffer, append_pint(append_value(append_pint(out, enumeration), label, size), value));
}

flux_result flux_define_member(flux_trace* trace, uint32_t item, uint32_t member, int64_t parent, const char* label,
                               uint8_t type, const char* descriptor) {
    const uint32_t label_size = text_size(label);
    const uint32_t descriptor_size = text_size(descriptor);
    const uint8_t base = type & 0x0F;
    uint32_t tags_size;
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    tags_size = text_size(trace->tags);
    if (parent < FLUX_NO_PARENT || parent >= UINT32_MAX || label_size + descriptor_size + tags_size >= MAX_ENTRY)
        return FLUX_ERROR_VALUE;
    if (base == 5 || base > FLUX_MEMBER_TEXT_ARRAY || (type & 0x30) != 0) return FLUX_ERROR_VALUE;
    if (trace->version < FLUX_VERSION_6 &&
        (parent != FLUX_NO_PARENT || base > FLUX_MEMBER_MERGED_ENUM || (type & FLUX_MEMBER_UNTIL_CHANGE) != 0))
        return FLUX_ERROR_VALUE;
    result = begin_note(trace, item, TAG_MEMBER, 7 * ROOM_PINT + 2 + label_size + descriptor_size + tags_size, &out);
    if (result != FLUX_OK) return result;
    out = append_pint(out, member);
    if (trace->version >= FLUX_VERSION_6) out = append_pint(out, (uint32_t)(parent + 1));
    out = append_value(out, label, label_size);
    if (trace->impulse_3) {
        out = append_tags(trace, append_pint(out, 0), tags_size); /* no description */
        *out++ = 0;                                               /* a byte whose meaning is unknown */
        *out++ = flux_internal_member_type(trace, type);
        return commit(trace->buffer, append_format(append_scale(out, NO_SCALE), descriptor));
    }
    *out++ = type;
    return commit(trace->buffer, append_value(out, descriptor, descriptor_size));
}

flux_result flux_define_index(flux_trace* trace, uint32_t item, uint32_t index, const char* label) {
    return flux_define_member(trace, item, index, FLUX_NO_PARENT, label, FLUX_MEMBER_INDEX, NULL);
}

flux_result flux_write_relation(flux_trace* trace, uint32_t item, flux_relation relation, uint32_t target,
                                uint32_t style, int64_t distance, uint32_t domain) {
    flux_result result;
    uint8_t* out;
    if (!trace || (uint32_t)relation > FLUX_POSITION_REVERSED) return FLUX_ERROR_VALUE;
    if (trace->version < FLUX_VERSION_6 && (relation != FLUX_DELTA || domain != 0)) return FLUX_ERROR_VALUE;
    result = begin_note(trace, item, TAG_RELATION, 1 + 3 * ROOM_PINT + ROOM_SINT, &out);
    if (result != FLUX_OK) return result;
    if (trace->version >= FLUX_VERSION_6) *out++ = (uint8_t)relation;
    out = append_sint(append_pint(append_pint(out, target), style), distance);
    return commit(trace->buffer, trace->version >= FLUX_VERSION_6 ? append_pint(out, domain) : out);
}

flux_result flux_write_label(flux_trace* trace, uint32_t item, uint32_t style, int32_t x, int32_t y) {
    flux_result result;
    uint8_t* out;
    if (!trace || (trace->version >= FLUX_VERSION_6 && (x != 0 || y != 0))) return FLUX_ERROR_VALUE;
    result = begin_note(trace, item, TAG_LABEL, ROOM_PINT + 2 * ROOM_SINT, &out);
    if (result != FLUX_OK) return result;
    return commit(trace->buffer, append_sint(append_sint(append_pint(out, style), x), y));
}
