// SQLite alone, with the table and the settings of messaging's store: inserts rows in group
// commits.
//
//   sqlite_commits FILE SIZE
//
// Answers each line `commit ROWS COMMITS` of standard input with `ROWS_PER_SECOND COMMITS_PER_SECOND`: ROWS messages of
// SIZE bytes in COMMITS transactions. Each transaction also writes the log's row and ends with one
// fsync.
#include <sqlite3.h>
#include <string.h>

#include "measure.h"

static sqlite3 *database;

static void check(int holds) {
  if (holds) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void execute(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK); }

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK);
  return statement;
}

static void finish(sqlite3_stmt *statement) {
  int result;
  while ((result = sqlite3_step(statement)) == SQLITE_ROW) continue;
  check(result == SQLITE_DONE);
  sqlite3_reset(statement);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  size_t size = (size_t)atol(arguments[2]);
  uint8_t *data = malloc(size);
  for (size_t i = 0; i < size; i++) data[i] = (uint8_t)(i * 167 + i / 256);
  check(sqlite3_open(arguments[1], &database) == SQLITE_OK);
  execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
          "CREATE TABLE log (number INTEGER PRIMARY KEY, meeting_id TEXT NOT NULL UNIQUE, last_sequence INTEGER NOT NULL,"
          "  touched_at INTEGER NOT NULL) STRICT;"
          "CREATE TABLE message (id INTEGER PRIMARY KEY, accepted_at INTEGER NOT NULL, lifetime INTEGER NOT NULL,"
          "  topic TEXT NOT NULL, data BLOB NOT NULL, sender_id TEXT, sender_external_id TEXT,"
          "  recipients TEXT NOT NULL, idempotency_key TEXT NOT NULL) STRICT;"
          "INSERT INTO log VALUES (1, '7b1f0c52-6d0e-4f0a-9d3b-2a54c3a9e601', 0, 0);");
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  sqlite3_stmt *log = prepare("UPDATE log SET last_sequence = ?, touched_at = ? WHERE number = 1");
  sqlite3_stmt *message = prepare(
      "INSERT INTO message VALUES (?, 1764000000000, 60000, 'bench', ?, '7b1f0c52-6d0e-4f0a-9d3b-2a54c3a9e601',"
      "  'client-0', '', ?)");
  size_t rows, commits;
  sqlite3_int64 sequence = 0;
  while (scanf(" commit %zu %zu", &rows, &commits) == 2) {
    uint64_t began = now_ns();
    for (size_t i = 0; i < commits; i++) {
      // Spread the rows evenly.
      size_t here = rows * (i + 1) / commits - rows * i / commits;
      finish(begin);
      sqlite3_bind_int64(log, 1, sequence + (sqlite3_int64)here);
      sqlite3_bind_int64(log, 2, sequence);
      finish(log);
      for (; here > 0; here--) {
        char key[64];
        snprintf(key, sizeof key, "bKq3Xw_d0Z-%04llx", (unsigned long long)++sequence);
        sqlite3_bind_int64(message, 1, 1ll << 36 | sequence);
        sqlite3_bind_blob(message, 2, data, (int)size, SQLITE_STATIC);
        sqlite3_bind_text(message, 3, key, -1, SQLITE_STATIC);
        finish(message);
      }
      finish(commit);
    }
    double seconds = (double)(now_ns() - began) / 1e9;
    printf("%.0f %.0f\n", (double)rows / seconds, (double)commits / seconds);
    fflush(stdout);
  }
  return 0;
}
