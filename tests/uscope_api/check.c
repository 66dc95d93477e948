#include "check.h"

#include <stdio.h>
#include <string.h>

static int checks, failures;

bool check_(bool holds, const char* condition, const char* file, int line) {
    ++checks;
    if (!holds) {
        ++failures;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, condition);
    }
    return holds;
}

bool check_text_(const char* text, const char* part, const char* file, int line) {
    const bool holds = text != NULL && strstr(text, part) != NULL;
    check_(holds, part, file, line);
    if (!holds) fprintf(stderr, "    in: %s\n", text != NULL ? text : "(NULL)");
    return holds;
}

int check_result(void) {
    printf("%d checks, %d failed\n", checks, failures);
    return failures == 0 && checks != 0 ? 0 : 1;
}
