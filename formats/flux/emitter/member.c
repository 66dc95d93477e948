/* formats/flux/emitter/member.c - members of structs and control entries, elements of arrays. */
#include "entry.h"

enum { MAX_DEPTH = 16, WIDTH_32 = 0x10, WIDTH_64 = 0x20 };

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static uint32_t element_width(flux_element element) {
    return element == FLUX_INT64 || element == FLUX_UINT64 || element == FLUX_FLOAT64 ? 8 : 4;
}

static bool is_float(flux_element element) {
    return element == FLUX_FLOAT32 || element == FLUX_FLOAT64;
}

typedef struct integer {
    uint64_t bits;
    uint32_t size;
} integer;

static integer integer_at(const flux_array* array, uint32_t at) {
    integer value;
    if (array->element == FLUX_INT32 || array->element == FLUX_INT64) {
        const int64_t number =
            array->element == FLUX_INT32 ? ((const int32_t*)array->values)[at] : ((const int64_t*)array->values)[at];
        value.bits = (uint64_t)number;
        value.size = integer_size(number);
    } else {
        value.bits =
            array->element == FLUX_UINT64 ? ((const uint64_t*)array->values)[at] : ((const uint32_t*)array->values)[at];
        value.size = unsigned_size(value.bits);
    }
    return value;
}

flux_result flux_internal_array_size(const flux_array* array, bool counted, uint32_t* size, uint32_t* padded) {
    const uint32_t width = array->element == FLUX_TEXTS ? 0 : element_width(array->element);
    uint64_t sum = counted ? pint_size(array->count) : 0;
    uint64_t estimate = sum + (uint64_t)array->count * (width + 1);
    uint32_t i;
    if ((uint32_t)array->element > FLUX_TEXTS || (array->count > 0 && !array->values)) return FLUX_ERROR_VALUE;
    if (array->count >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    if (is_float(array->element)) {
        sum += (uint64_t)array->count * width;
    } else {
        for (i = 0; i < array->count; i++) {
            const uint32_t bytes = array->element == FLUX_TEXTS ? text_size(((const char* const*)array->values)[i])
                                                                : integer_at(array, i).size;
            sum += pint_size(bytes) + bytes;
        }
    }
    if (is_float(array->element) || array->element == FLUX_TEXTS) estimate = sum;
    if (sum >= MAX_ENTRY || estimate >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    *size = (uint32_t)sum;
    *padded = (uint32_t)estimate;
    return FLUX_OK;
}

static uint8_t* append_real(uint8_t* out, const void* value, uint32_t width) {
    uint32_t bits;
    uint64_t bits64;
    if (width == 4) {
        COPY_FEW(&bits, value, sizeof bits);
        return append_integer(out, bits, 4);
    }
    COPY_FEW(&bits64, value, sizeof bits64);
    return append_integer(out, bits64, 8);
}

uint8_t* flux_internal_append_array(uint8_t* out, const flux_array* array, bool counted) {
    const uint32_t width = element_width(array->element);
    uint32_t i;
    if (counted) out = append_pint(out, array->count);
    for (i = 0; i < array->count; i++) {
        if (is_float(array->element)) {
            out = append_real(out, (const uint8_t*)array->values + (size_t)i * width, width);
        } else if (array->element == FLUX_TEXTS) {
            const char* text = ((const char* const*)array->values)[i];
            out = append_value(out, text, text_size(text));
        } else {
            const integer value = integer_at(array, i);
            *out++ = (uint8_t)value.size;
            out = append_integer(out, value.bits, value.size);
        }
    }
    return out;
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

static uint8_t base_of(const flux_member* member) {
    return member->type & 0x0F;
}

static bool is_array(uint8_t base) {
    return base >= FLUX_MEMBER_ENUM_ARRAY && base <= FLUX_MEMBER_TEXT_ARRAY;
}

/* Returns the type byte, including the element width of an array. */
static uint8_t type_on_wire(const flux_member* member) {
    const uint8_t base = base_of(member);
    if (base != FLUX_MEMBER_INTEGER_ARRAY && base != FLUX_MEMBER_FLOAT_ARRAY) return member->type;
    return (uint8_t)(member->type |
                     (element_width(((const flux_array*)member->value.bytes)->element) == 8 ? WIDTH_64 : WIDTH_32));
}

static uint32_t number_size(const flux_member* member) {
    return member->is_signed ? integer_size(member->value.integer) : unsigned_size(member->value.natural);
}

static flux_result check_type(const flux_trace* trace, const flux_member* member) {
    const uint8_t base = base_of(member);
    if (base == FLUX_MEMBER_INDEX || base == 5 || base > FLUX_MEMBER_TEXT_ARRAY || (member->type & 0x30) != 0)
        return FLUX_ERROR_VALUE;
    if (trace->version < FLUX_VERSION_6 &&
        (base > FLUX_MEMBER_MERGED_ENUM || (member->type & FLUX_MEMBER_UNTIL_CHANGE) != 0))
        return FLUX_ERROR_VALUE;
    return FLUX_OK;
}

static bool element_fits(uint8_t base, flux_element element) {
    switch (base) {
        case FLUX_MEMBER_ENUM_ARRAY:
            return element == FLUX_EVENTS;
        case FLUX_MEMBER_INTEGER_ARRAY:
            return element <= FLUX_UINT64;
        case FLUX_MEMBER_FLOAT_ARRAY:
            return is_float(element);
        default:
            return element == FLUX_TEXTS;
    }
}

static flux_result sizes_of(const flux_trace* trace, const flux_member* members, uint32_t count, uint32_t* size,
                            uint32_t* padded, uint32_t depth);

/* Computes the size of a member's value. Does not count the fields id, type and size. */
static flux_result member_size(const flux_trace* trace, const flux_member* member, uint32_t* size, uint32_t* padded,
                               uint32_t depth) {
    const uint8_t base = base_of(member);
    if (base == FLUX_MEMBER_FLOAT || base == FLUX_MEMBER_INTEGER) {
        if (member->width != 4 && member->width != 8) return FLUX_ERROR_SIZE;
        *size = base == FLUX_MEMBER_FLOAT ? member->width : number_size(member);
        *padded = member->width;
        return FLUX_OK;
    }
    if (base == FLUX_MEMBER_ENUM || base == FLUX_MEMBER_LOCAL_ENUM || base == FLUX_MEMBER_MERGED_ENUM) {
        *size = number_size(member);
        *padded = 4;
        return FLUX_OK;
    }
    if (is_array(base)) {
        const flux_array* array = (const flux_array*)member->value.bytes;
        flux_result result;
        if (!array || !element_fits(base, array->element)) return FLUX_ERROR_VALUE;
        result = flux_internal_array_size(array, true, size, padded);
        *padded = *size;
        return result;
    }
    if (member->size > 0 && !member->value.bytes) return FLUX_ERROR_VALUE;
    if (base == FLUX_MEMBER_STRUCT) {
        if (depth == 0) return FLUX_ERROR_VALUE;
        return sizes_of(trace, (const flux_member*)member->value.bytes, member->size, size, padded, depth - 1);
    }
    *size = *padded = member->size;
    return FLUX_OK;
}

static flux_result sizes_of(const flux_trace* trace, const flux_member* members, uint32_t count, uint32_t* size,
                            uint32_t* padded, uint32_t depth) {
    uint64_t sum = 0;
    uint64_t estimate = 0;
    uint32_t i;
    if (count > 0 && !members) return FLUX_ERROR_VALUE;
    for (i = 0; i < count; i++) {
        uint32_t value = 0;
        uint32_t assumed = 0;
        flux_result result = check_type(trace, &members[i]);
        if (result == FLUX_OK) result = member_size(trace, &members[i], &value, &assumed, depth);
        if (result != FLUX_OK) return result;
        sum += (uint64_t)pint_size(members[i].id) + 1 + pint_size(value) + value;
        estimate += (uint64_t)pint_size(members[i].id) + 1 + pint_size(assumed) + assumed;
        if (sum >= MAX_ENTRY || estimate >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    }
    *size = (uint32_t)sum;
    *padded = (uint32_t)estimate;
    return FLUX_OK;
}

flux_result flux_internal_members_size(const flux_trace* trace, const flux_member* members, uint32_t count,
                                       uint32_t* size, uint32_t* padded) {
    return sizes_of(trace, members, count, size, padded, MAX_DEPTH);
}

static uint8_t* append_member(const flux_trace* trace, uint8_t* out, const flux_member* member) {
    const uint8_t base = base_of(member);
    uint32_t size = 0;
    uint32_t padded = 0;
    out = append_pint(out, member->id);
    *out++ = flux_internal_member_type(trace, type_on_wire(member));
    switch (base) {
        case FLUX_MEMBER_FLOAT:
            *out++ = member->width;
            return append_real(out, &member->value, member->width);
        case FLUX_MEMBER_TEXT:
        case FLUX_MEMBER_BINARY:
            return append_value(out, member->value.bytes, member->size);
        case FLUX_MEMBER_STRUCT:
        case FLUX_MEMBER_ENUM_ARRAY:
        case FLUX_MEMBER_INTEGER_ARRAY:
        case FLUX_MEMBER_FLOAT_ARRAY:
        case FLUX_MEMBER_TEXT_ARRAY:
            break;
        default:
            size = number_size(member);
            *out++ = (uint8_t)size;
            return append_integer(out, member->value.natural, size);
    }
    if (base == FLUX_MEMBER_STRUCT) {
        const flux_member* inner = (const flux_member*)member->value.bytes;
        sizes_of(trace, inner, member->size, &size, &padded, MAX_DEPTH);
        return flux_internal_append_members(trace, append_pint(out, size), inner, member->size);
    }
    flux_internal_array_size((const flux_array*)member->value.bytes, true, &size, &padded);
    return flux_internal_append_array(append_pint(out, size), (const flux_array*)member->value.bytes, true);
}

uint8_t* flux_internal_append_members(const flux_trace* trace, uint8_t* out, const flux_member* members,
                                      uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; i++)
        out = append_member(trace, out, &members[i]);
    return out;
}

/* ---- members in one pass ----------------------------------------------------------------------------------------- */

#define BIT(base) (1u << (base))

static const uint32_t simple_bases = BIT(FLUX_MEMBER_TEXT) | BIT(FLUX_MEMBER_ENUM) | BIT(FLUX_MEMBER_INTEGER) |
                                     BIT(FLUX_MEMBER_FLOAT) | BIT(FLUX_MEMBER_BINARY) | BIT(FLUX_MEMBER_LOCAL_ENUM) |
                                     BIT(FLUX_MEMBER_MERGED_ENUM);

bool flux_internal_are_simple(const flux_trace* trace, const flux_member* members, uint32_t count, uint32_t* room,
                              uint32_t* padded) {
    const uint8_t refused = trace->version < FLUX_VERSION_6 ? 0x30 | FLUX_MEMBER_UNTIL_CHANGE : 0x30;
    uint64_t sum = 0;
    uint64_t estimate = 0;
    uint32_t i;
    if (count > 0 && !members) return false;
    for (i = 0; i < count; i++) {
        const flux_member* member = &members[i];
        const uint8_t base = base_of(member);
        const uint32_t ahead = pint_size(member->id) + 2; /* number, type, size */
        if ((simple_bases >> base & 1) == 0 || (member->type & refused) != 0) return false;
        if (base == FLUX_MEMBER_TEXT || base == FLUX_MEMBER_BINARY) {
            if (member->size > 0 && !member->value.bytes) return false;
            sum += (uint64_t)ahead + pint_size(member->size) - 1 + member->size;
            estimate += (uint64_t)ahead + pint_size(member->size) - 1 + member->size;
        } else {
            const uint32_t width = base == FLUX_MEMBER_INTEGER || base == FLUX_MEMBER_FLOAT ? member->width : 4;
            if (width != 4 && width != 8) return false;
            sum += ahead + ROOM_NUMBER;
            estimate += ahead + width;
        }
        if (sum >= MAX_ENTRY) return false;
    }
    *room = (uint32_t)sum;
    *padded = (uint32_t)estimate;
    return true;
}

uint8_t* flux_internal_append_simple_members(const flux_trace* trace, uint8_t* out, const flux_member* members,
                                             uint32_t count) {
    const bool translate = trace->impulse_3;
    uint32_t i;
    for (i = 0; i < count; i++) {
        const flux_member* member = &members[i];
        const uint8_t base = base_of(member);
        uint32_t size;
        out = append_pint(out, member->id);
        *out++ = translate ? flux_internal_member_type(trace, member->type) : member->type;
        if (base == FLUX_MEMBER_TEXT || base == FLUX_MEMBER_BINARY) {
            out = append_value(out, member->value.bytes, member->size);
        } else if (base == FLUX_MEMBER_FLOAT) {
            *out++ = member->width;
            out = append_real(out, &member->value, member->width);
        } else {
            size = number_size(member);
            *out++ = (uint8_t)size;
            out = append_integer_in_room(out, member->value.natural, size);
        }
    }
    return out;
}

/* ---- constructors of composite members --------------------------------------------------------------------------- */

flux_member flux_member_text(uint32_t id, const char* text) {
    return flux_member_characters(id, text, text_size(text));
}

flux_member flux_member_struct(uint32_t id, const flux_member* members, uint32_t count) {
    flux_member member = flux_member_binary(id, members, count);
    member.type = FLUX_MEMBER_STRUCT;
    return member;
}

flux_member flux_member_array(uint32_t id, const flux_array* array) {
    flux_member member = flux_member_binary(id, array, 0);
    member.type = FLUX_MEMBER_INTEGER_ARRAY;
    if (array && array->element == FLUX_EVENTS) member.type = FLUX_MEMBER_ENUM_ARRAY;
    if (array && array->element == FLUX_TEXTS) member.type = FLUX_MEMBER_TEXT_ARRAY;
    if (array && is_float(array->element)) member.type = FLUX_MEMBER_FLOAT_ARRAY;
    return member;
}
