internal import GRDB

/// The tables of `meetings.sqlite`.
///
/// A released migration is never changed; a new one is added after it.
///
/// - `meeting`, `meeting_tenant`, `meeting_tag`, `attendee`: what lives. Times are milliseconds
///   since 1970-01-01T00:00:00Z, identifiers are lower-case text.
/// - `transcription`: what is transcribed, or was until it was stopped (`configuration` is NULL).
/// - `spoken_language`: of attendees whom an operator gave one.
/// - `ended_meeting`, `ended_attendee`: what is left of a meeting that ended, so that its attendees
///   can be told so. It names nobody.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 meetings and attendees") { database in
      try database.execute(sql: firstVersion)
    }
    migrator.registerMigration("2 transcription") { database in
      try database.execute(sql: transcription)
    }
    return migrator
  }

  private static let transcription = """
    CREATE TABLE transcription (
      meeting_id TEXT NOT NULL PRIMARY KEY REFERENCES meeting(id) ON DELETE CASCADE,
      revision INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      configuration BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE spoken_language (
      attendee_id TEXT NOT NULL PRIMARY KEY REFERENCES attendee(id) ON DELETE CASCADE,
      language TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  private static let firstVersion = """
    CREATE TABLE meeting (
      ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      request_token TEXT NOT NULL UNIQUE,
      request_fingerprint BLOB NOT NULL,
      external_id TEXT NOT NULL,
      host_id TEXT,
      region TEXT NOT NULL,
      echo_reduction INTEGER NOT NULL,
      video TEXT NOT NULL,
      content TEXT NOT NULL,
      max_attendees INTEGER NOT NULL,
      primary_id TEXT REFERENCES meeting(id),
      placement_base TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_occupied_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX meeting_by_primary ON meeting(primary_id) WHERE primary_id IS NOT NULL;

    CREATE TABLE meeting_tenant (
      meeting_id TEXT NOT NULL REFERENCES meeting(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      tenant_id TEXT NOT NULL,
      PRIMARY KEY (meeting_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE meeting_tag (
      meeting_id TEXT NOT NULL REFERENCES meeting(id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (meeting_id, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE attendee (
      ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      meeting_id TEXT NOT NULL REFERENCES meeting(id) ON DELETE CASCADE,
      external_user_id TEXT NOT NULL,
      nonce BLOB NOT NULL,
      audio TEXT NOT NULL,
      video TEXT NOT NULL,
      content TEXT NOT NULL,
      is_muted_by_operator INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      UNIQUE (meeting_id, external_user_id)
    ) STRICT;
    CREATE INDEX attendee_by_meeting ON attendee(meeting_id, ordinal);

    CREATE TABLE ended_meeting (
      id TEXT NOT NULL PRIMARY KEY,
      cause TEXT NOT NULL,
      ended_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ended_meeting_by_time ON ended_meeting(ended_at);

    CREATE TABLE ended_attendee (
      id TEXT NOT NULL PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES ended_meeting(id) ON DELETE CASCADE,
      nonce BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ended_attendee_by_meeting ON ended_attendee(meeting_id);
    """
}
