/* foreign.c - formats that are neither read nor written, recognised so that a message can name
 * them. */
#include "base/error.h"
#include "io/reader.h"

#include <string.h>

/* First bytes of files that are no text. */
static const struct {
    const char *bytes;
    size_t len;
    const char *what, *remedy;
} magics[] = {
    {"PK\x03\x04", 4, "an Excel or OpenDocument workbook, or another ZIP file",
     "save the sheet as CSV (UTF-8), or unpack the file"},
    {"\xd0\xcf\x11\xe0", 4, "an old Excel workbook", "save the sheet as CSV (UTF-8)"},
    {"PAR1", 4, "a Parquet file", "export it as CSV"},
    {"ARROW1", 6, "an Arrow or Feather file", "export it as CSV"},
    {"ORC", 3, "an ORC file", "export it as CSV"},
    {"Obj\x01", 4, "an Avro file", "export it as CSV or JSON Lines"},
    {"SQLite format 3", 15, "an SQLite database", "export the table as CSV"},
    {"$FL2", 4, "an SPSS file", "export it as CSV (UTF-8)"},
    {"BZh", 3, "compressed with bzip2", "unpack it, or compress it with gzip or zstd"},
    {"\xfd"
     "7zXZ",
     5, "compressed with xz", "unpack it, or compress it with gzip or zstd"},
};

/* Whether a byte that no text holds is among the first ones: a header may begin with "ORC". */
static bool is_binary(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len && i < 64; i++) {
        if ((unsigned char)bytes[i] < '\t' ||
            ((unsigned char)bytes[i] > '\r' && (unsigned char)bytes[i] < ' ')) {
            return true;
        }
    }
    return false;
}

kn_status kn__refuse_foreign_bytes(const char *name, const char *bytes, size_t len, kn_error *err)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        if (len > magics[i].len && memcmp(bytes, magics[i].bytes, magics[i].len) == 0 &&
            is_binary(bytes, len)) {
            return kn__fail(err, KN_EINPUT, "%.400s: is %s, which kanon does not read: %s", name,
                            magics[i].what, magics[i].remedy);
        }
    }
    return KN_OK;
}

kn_status kn__refuse_foreign_name(const char *path, kn_error *err)
{
    static const char *const endings[] = {
        ".xlsx",  ".xls",  ".xlsm",   ".xlsb", ".ods",  ".parquet", ".feather",  ".arrow", ".ipc",
        ".orc",   ".avro", ".sav",    ".por",  ".dta",  ".xpt",     ".sas7bdat", ".rds",   ".rda",
        ".rdata", ".mat",  ".npy",    ".h5",   ".hdf5", ".pkl",     ".pickle",   ".dbf",   ".mdb",
        ".accdb", ".db",   ".sqlite", ".sql",  ".html", ".md",      ".yaml",     ".yml",   ".pdf",
        ".docx",  ".zip",  ".bz2",    ".xz",   ".7z"};
    const size_t len = kn__name_stem(path);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t end = strlen(endings[i]);
        if (len > end && strncasecmp(path + len - end, endings[i], end) == 0) {
            return kn__fail(err, KN_EUSAGE,
                            "%.400s: kanon does not write %s: name the output .csv, .tsv, .dat or "
                            ".jsonl (trees: .trees, .json, .xml), perhaps with .gz or .zst "
                            "behind it",
                            path, endings[i]);
        }
    }
    return KN_OK;
}
