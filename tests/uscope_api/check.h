/* tests/uscope_api/check.h - checks of the C tests: a failed one is printed and counted, and the test goes on. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

/* True when `condition` holds; else it has been printed. */
#define CHECK(condition) check_((condition), #condition, __FILE__, __LINE__)
/* The text contains the other one. */
#define CHECK_TEXT(text, part) check_text_((text), (part), __FILE__, __LINE__)

bool check_(bool holds, const char* condition, const char* file, int line);
bool check_text_(const char* text, const char* part, const char* file, int line);
/* What main returns: 0 when every check held. */
int check_result(void);

#endif
