// convert/transform.hpp - the transforms that a plan is made of. Each stands in a file of its own in transforms/, with
// the conditions under which it applies, its losses and the text of --explain.
#pragma once

#include <span>
#include <vector>

#include "convert/planning.hpp"

namespace hwtrace {

/// A transform adds its stages to the plan if the records so far need it for the target. Otherwise it does nothing.
using Transform = void (*)(Planning& p, const Target& to);

/// Returns the transforms that undo earlier ones, in the order in which a plan tries them.
std::span<const Transform> raisings() noexcept;
/// Returns the transforms towards the target's shapes, in the order in which a plan tries them.
std::span<const Transform> lowerings() noexcept;

namespace transforms {

// Undo earlier transforms.
void raise_rows(Planning& p, const Target& to);                  // signal_rows.cpp
void raise_instructions(Planning& p, const Target& to);          // cpu_tables.cpp
void raise_retired_instructions(Planning& p, const Target& to);  // instruction_sources.cpp
void raise_transactions(Planning& p, const Target& to);          // instruction_sources.cpp
void raise_intervals(Planning& p, const Target& to);             // active_tables.cpp
void raise_names(Planning& p, const Target& to);                 // held_intervals.cpp
void raise_held_values(Planning& p, const Target& to);           // held_intervals.cpp
void raise_value_tables(Planning& p, const Target& to);          // value_tables.cpp

// Make the target's shapes.
void lower_instructions(Planning& p, const Target& to);  // cpu_tables.cpp
void make_value_rows(Planning& p, const Target& to);     // signal_rows.cpp
void make_value_tables(Planning& p, const Target& to);   // value_tables.cpp
void hold_values(Planning& p, const Target& to);         // held_intervals.cpp
void make_active_tables(Planning& p, const Target& to);  // active_tables.cpp
void make_rows(Planning& p, const Target& to);           // signal_rows.cpp
void make_intervals(Planning& p, const Target& to);      // made_intervals.cpp
void give_picoseconds(Planning& p, const Target& to);    // picosecond_times.cpp
void drop_others(Planning& p, const Target& to);         // dropping.cpp

/// Returns true if signals, or events and notes beside them, must become something else for the target.
bool needs_held_values(const Planning& p, const Target& to);  // held_intervals.cpp
/// Returns the mappings of all tracks to samples of signals.
std::vector<Mapping> samples_of_tracks(const Planning& p);  // signal_rows.cpp

}  // namespace transforms

}  // namespace hwtrace
