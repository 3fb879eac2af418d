internal import GRDB

/// The tables of `messages.sqlite`.
///
/// A released migration never changes. Each change is a new migration after the last migration.
///
/// - `log`: one row for each meeting; `term` rises with each owner that claims the log. Times are
///   milliseconds since 1970-01-01T00:00:00Z, and identifiers are lower-case text.
/// - `message`: `id` combines the log's number and the message's sequence, see ``MessageTable``.
///   `recipients` are attendee ids separated by commas. `sender_display_name` is NULL for a sender
///   without a display name.
/// - `session`: the sessions that read a log, and the position from which each session reads.
/// - `ended_log`: recently ended meetings, whose logs the store must not start again.
enum MessagesSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 logs of data messages") { database in
      try database.execute(sql: firstVersion)
    }
    migrator.registerMigration("2 terms of owners") { database in
      try database.execute(sql: "ALTER TABLE log ADD COLUMN term INTEGER NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("3 display names of senders") { database in
      try database.execute(sql: "ALTER TABLE message ADD COLUMN sender_display_name TEXT")
    }
    return migrator
  }

  /// The SQL that sets a new, higher epoch for each log, in microseconds since
  /// 1970-01-01T00:00:00Z.
  static let renumbering = """
    UPDATE log SET epoch =
      max(epoch + 1, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000)
    """

  private static let firstVersion = """
    CREATE TABLE log (
      number INTEGER PRIMARY KEY,
      meeting_id TEXT NOT NULL UNIQUE,
      epoch INTEGER NOT NULL,
      last_sequence INTEGER NOT NULL,
      last_accepted_at INTEGER NOT NULL,
      kept_after INTEGER NOT NULL,
      lost_through INTEGER NOT NULL,
      touched_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      accepted_at INTEGER NOT NULL,
      lifetime INTEGER NOT NULL,
      topic TEXT NOT NULL,
      data BLOB NOT NULL,
      sender_id TEXT,
      sender_external_id TEXT,
      recipients TEXT NOT NULL,
      idempotency_key TEXT NOT NULL
    ) STRICT;

    CREATE TABLE session (
      log INTEGER NOT NULL,
      id BLOB NOT NULL,
      participant_id TEXT NOT NULL,
      present_after INTEGER NOT NULL,
      PRIMARY KEY (log, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ended_log (
      meeting_id TEXT NOT NULL PRIMARY KEY,
      ended_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
