#pragma once

#include <sqlite3.h>

namespace bowhist {

/// The functions of SQLite that this library calls.
struct SqliteFunctions {
    decltype(&sqlite3_open_v2) open_v2;
    decltype(&sqlite3_close_v2) close_v2;
    decltype(&sqlite3_db_config) db_config;
    decltype(&sqlite3_limit) limit;
    decltype(&sqlite3_progress_handler) progress_handler;
    decltype(&sqlite3_exec) exec;
    decltype(&sqlite3_prepare_v2) prepare_v2;
    decltype(&sqlite3_finalize) finalize;
    decltype(&sqlite3_reset) reset;
    decltype(&sqlite3_step) step;
    decltype(&sqlite3_errmsg) errmsg;
    decltype(&sqlite3_extended_errcode) extended_errcode;
    decltype(&sqlite3_busy_timeout) busy_timeout;
    decltype(&sqlite3_get_autocommit) get_autocommit;
    decltype(&sqlite3_last_insert_rowid) last_insert_rowid;
    decltype(&sqlite3_bind_int64) bind_int64;
    decltype(&sqlite3_bind_text64) bind_text64;
    decltype(&sqlite3_bind_blob64) bind_blob64;
    decltype(&sqlite3_bind_null) bind_null;
    decltype(&sqlite3_column_int64) column_int64;
    decltype(&sqlite3_column_text) column_text;
    decltype(&sqlite3_column_blob) column_blob;
    decltype(&sqlite3_column_bytes) column_bytes;
    decltype(&sqlite3_column_type) column_type;
    decltype(&sqlite3_column_count) column_count;
    decltype(&sqlite3_blob_open) blob_open;
    decltype(&sqlite3_blob_reopen) blob_reopen;
    decltype(&sqlite3_blob_bytes) blob_bytes;
    decltype(&sqlite3_blob_read) blob_read;
    decltype(&sqlite3_blob_close) blob_close;
};

/// Loads SQLite when it is first called, so that no start of a program pays for it. Any thread.
/// @throws Error{Fault::input} where it is not installed
const SqliteFunctions &sqlite();

} // namespace bowhist
