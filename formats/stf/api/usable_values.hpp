// formats/stf/api/usable_values.hpp - whether what a program gives has a place in a record.
#pragma once

#include "io/error.hpp"
#include "stf/wire.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// Throws Failure::usage for a register that there is not.
inline void check_register(const Register& value) {
    if (value.kind > RegisterKind::csr || value.role > RegisterRole::destination)
        fail(Failure::usage, "a register has a kind and a role");
    if (value.number > last_register(register_integer + static_cast<unsigned>(value.kind)))
        fail(Failure::usage, "registers have numbers up to 31 (32 is the pc), and CSRs up to 4095");
}
/// Throws Failure::usage for an access that is none of AccessKind.
inline void check_access(const MemoryAccess& access) {
    if (access.kind > AccessKind::write) fail(Failure::usage, "a memory access reads or writes");
}

}  // namespace hwtrace::stf
