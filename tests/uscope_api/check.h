/* tests/uscope_api/check.h - checks for the C tests. A failed check is printed and counted, and the test continues. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

/* Returns `condition`, and prints the check if it is false. */
#define CHECK(condition) check_((condition), #condition, __FILE__, __LINE__)
/* Checks that a string contains `part`. */
#define CHECK_TEXT(text, part) check_text_((text), (part), __FILE__, __LINE__)

bool check_(bool holds, const char* condition, const char* file, int line);
bool check_text_(const char* text, const char* part, const char* file, int line);
/* Returns the exit code for main: 0 if every check passed. */
int check_result(void);

#endif
