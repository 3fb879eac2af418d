internal import GRDB

/// The table of `client-events.sqlite`.
///
/// A released migration never changes. Each change is a new migration after the last migration.
///
/// - `event`: the events of clients' sessions. `number` increases, and no two events have the same
///   number. `id` is the client's own id. Times are milliseconds since 1970-01-01T00:00:00Z.
///   `metadata` and `payload` are JSON objects.
enum ClientEventsSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 events of clients") { database in
      try database.execute(sql: firstVersion)
    }
    return migrator
  }

  private static let firstVersion = """
    CREATE TABLE event (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      received_at INTEGER NOT NULL,
      meeting_id TEXT NOT NULL,
      primary_id TEXT,
      attendee_id TEXT NOT NULL,
      external_user_id TEXT,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      metadata TEXT NOT NULL,
      payload TEXT NOT NULL,
      UNIQUE (attendee_id, id)
    ) STRICT;

    CREATE INDEX event_by_meeting ON event (meeting_id, number);
    CREATE INDEX event_by_time ON event (received_at);
    """
}
