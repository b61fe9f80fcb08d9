#include <bowhist/library/sqlite/functions.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <fmt/format.h>

#include <dlfcn.h>

namespace bowhist {
namespace {

template <typename Function>
void look_up(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw Error(Fault::input,
                    fmt::format("libsqlite3.so.0 has no {}; install libsqlite3-0 anew", name));
}

SqliteFunctions load() {
    void *const library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw Error(Fault::input, fmt::format("SQLite {}", not_loaded("install libsqlite3-0")));
    SqliteFunctions all;
    look_up(library, "sqlite3_open_v2", all.open_v2);
    look_up(library, "sqlite3_close_v2", all.close_v2);
    look_up(library, "sqlite3_db_config", all.db_config);
    look_up(library, "sqlite3_limit", all.limit);
    look_up(library, "sqlite3_progress_handler", all.progress_handler);
    look_up(library, "sqlite3_exec", all.exec);
    look_up(library, "sqlite3_prepare_v2", all.prepare_v2);
    look_up(library, "sqlite3_finalize", all.finalize);
    look_up(library, "sqlite3_reset", all.reset);
    look_up(library, "sqlite3_step", all.step);
    look_up(library, "sqlite3_errmsg", all.errmsg);
    look_up(library, "sqlite3_extended_errcode", all.extended_errcode);
    look_up(library, "sqlite3_busy_timeout", all.busy_timeout);
    look_up(library, "sqlite3_get_autocommit", all.get_autocommit);
    look_up(library, "sqlite3_last_insert_rowid", all.last_insert_rowid);
    look_up(library, "sqlite3_bind_int64", all.bind_int64);
    look_up(library, "sqlite3_bind_text64", all.bind_text64);
    look_up(library, "sqlite3_bind_blob64", all.bind_blob64);
    look_up(library, "sqlite3_bind_null", all.bind_null);
    look_up(library, "sqlite3_column_int64", all.column_int64);
    look_up(library, "sqlite3_column_text", all.column_text);
    look_up(library, "sqlite3_column_blob", all.column_blob);
    look_up(library, "sqlite3_column_bytes", all.column_bytes);
    look_up(library, "sqlite3_column_type", all.column_type);
    look_up(library, "sqlite3_column_count", all.column_count);
    look_up(library, "sqlite3_blob_open", all.blob_open);
    look_up(library, "sqlite3_blob_reopen", all.blob_reopen);
    look_up(library, "sqlite3_blob_bytes", all.blob_bytes);
    look_up(library, "sqlite3_blob_read", all.blob_read);
    look_up(library, "sqlite3_blob_close", all.blob_close);
    return all;
}

} // namespace

const SqliteFunctions &sqlite() {
    static const SqliteFunctions all = load();
    return all;
}

} // namespace bowhist
