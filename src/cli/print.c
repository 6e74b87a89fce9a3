/* print.c - tables and numbers for people. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

int cli_width(const char *text)
{
    int width = 0;

    for (const char *c = text; *c; c++) {
        width += ((unsigned char)*c & 0xC0) != 0x80;
    }
    return width;
}

void cli_pad(FILE *out, const char *text, int width)
{
    const int spaces = (width < 0 ? -width : width) - cli_width(text);

    (void)fprintf(out, "%*s", width < 0 && spaces > 0 ? spaces : 0, "");
    cli_print_plain(out, text, SIZE_MAX);
    (void)fprintf(out, "%*s", width > 0 && spaces > 0 ? spaces : 0, "");
}

void cli_print_plain(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len && text[i]; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 127) {
            (void)fprintf(out, "\\x%02x", c);
        } else {
            (void)fputc(c, out);
        }
    }
}

const char *cli_format(double value, char out[32])
{
    if (isnan(value)) {
        return "-";
    }
    if (isinf(value)) {
        return "unlimited";
    }
    (void)snprintf(out, 32, fabs(value) < 1e15 && value == floor(value) ? "%.0f" : "%.4g", value);
    return out;
}

void cli_table(FILE *out, const char *const *cells, size_t rows, size_t columns, const bool *right)
{
    int width[16] = {0};

    for (size_t i = 0; i < rows * columns; i++) {
        const int w = cli_width(cells[i]);
        width[i % columns] = w > width[i % columns] ? w : width[i % columns];
    }
    for (size_t r = 0; r < rows; r++) {
        size_t last = columns;
        while (last > 1 && !*cells[r * columns + last - 1]) {
            last--; /* no spaces at the end of a line */
        }
        for (size_t c = 0; c < last; c++) {
            int w = width[c];
            if (right[c]) {
                w = -w;
            } else if (c + 1 == last) {
                w = 0;
            }
            (void)fputs(c ? "  " : "", out);
            cli_pad(out, cells[r * columns + c], w);
        }
        (void)fputc('\n', out);
    }
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat sa, sb;

    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && stat(a, &sa) == 0 && stat(b, &sb) == 0 &&
           sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

int cli_exists(bool *exists, const char *path)
{
    struct stat st;

    *exists = stat(path, &st) == 0;
    if (*exists || errno == ENOENT || errno == ENOTDIR) {
        return 0;
    }
    (void)fprintf(stderr, "kanon: %s: %s\n", path, strerror(errno));
    return kn_status_exit_code(KN_EIO);
}

void cli_print_notes(const cli_call *call, const kn_dataset *ds)
{
    for (size_t i = 0; !call->quiet && i < kn_dataset_notes(ds); i++) {
        cli_progress_end();
        (void)fputs("kanon: warning: ", stderr);
        cli_print_plain(stderr, kn_dataset_note(ds, i), SIZE_MAX);
        (void)fputc('\n', stderr);
    }
}

kn_status cli_read(const cli_call *call, const char *path, kn_table_use use, kn_dataset **out,
                   kn_error *err)
{
    const kn_status st = kn_job_table(out, call->job, path, use, false, &call->run, err);

    if (st == KN_OK) {
        cli_print_notes(call, *out);
    }
    return st;
}
