# The headers that a program may include, as <hwtrace/NAME.hpp>, in addition to the interfaces in */include. Headers that
# they include are installed as <hwtrace/detail/…>.
set(HWTRACE_PUBLIC_HEADERS hwtrace trace conversion validation model format plan io plugin)
