// formats/stf/api/usable_values.hpp - checks that a record can hold the caller's values.
#pragma once

#include "io/error.hpp"
#include "stf/wire.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// Throws Failure::usage for a register that does not exist.
inline void check_register(const Register& value) {
    if (value.kind > RegisterKind::csr || value.role > RegisterRole::destination)
        fail(Failure::usage, "a register needs a valid kind and role");
    if (value.number > last_register(register_integer + static_cast<unsigned>(value.kind)))
        fail(Failure::usage, "register numbers are at most 31 (integer 32 is the pc), CSR numbers at most 4095");
}
/// Throws Failure::usage if the kind is not a value of AccessKind.
inline void check_access(const MemoryAccess& access) {
    if (access.kind > AccessKind::write) fail(Failure::usage, "a memory access needs a valid kind");
}

}  // namespace hwtrace::stf
