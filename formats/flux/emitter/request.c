/* formats/flux/emitter/request.c - control entries as they are written. */
#include "entry.h"

static flux_result write_control(flux_trace* trace, uint8_t tag, uint32_t control, uint32_t message,
                                 const flux_member* members, uint32_t count) {
    uint32_t size;
    uint32_t padded;
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    result = members_size(trace, members, count, &size, &padded);
    if (result == FLUX_OK) result = begin_entry(trace, ROOM_TAG + 3 * ROOM_PINT + size, &out);
    if (result != FLUX_OK) return result;
    out = put_pint(put_pint(put_pint(put_tag(out, tag), control), message), count);
    return commit(trace->buffer, put_members(out, members, count));
}

flux_result flux_write_request(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                               uint32_t count) {
    return write_control(trace, TAG_REQUEST, control, message, members, count);
}

flux_result flux_write_control_result(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                                      uint32_t count) {
    return write_control(trace, TAG_RESULT, control, message, members, count);
}
