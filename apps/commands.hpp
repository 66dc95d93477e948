// apps/commands.hpp - the functions of libhwtrace-commands.so. The main() of each program calls one of them.
#pragma once

namespace hwtrace::apps {

/// Each function takes the arguments of main() and returns its exit status. It throws nothing.
[[gnu::visibility("default")]] int convert(int argc, char** argv);
[[gnu::visibility("default")]] int diff(int argc, char** argv);
[[gnu::visibility("default")]] int dump(int argc, char** argv);
[[gnu::visibility("default")]] int index(int argc, char** argv);
[[gnu::visibility("default")]] int info(int argc, char** argv);
[[gnu::visibility("default")]] int merge(int argc, char** argv);
/// Exists only if SQLite was found when hwtrace was built.
[[gnu::visibility("default")]] int query(int argc, char** argv);
[[gnu::visibility("default")]] int record_qemu(int argc, char** argv);
[[gnu::visibility("default")]] int recover(int argc, char** argv);
[[gnu::visibility("default")]] int serve(int argc, char** argv);
[[gnu::visibility("default")]] int split(int argc, char** argv);
[[gnu::visibility("default")]] int validate(int argc, char** argv);
/// Runs `hwtrace VERB …`: replaces the process with the program hwtrace-VERB.
[[gnu::visibility("default")]] int launcher(int argc, char** argv);

}  // namespace hwtrace::apps
