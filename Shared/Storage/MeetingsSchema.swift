internal import GRDB

/// The tables of `meetings.sqlite`.
///
/// A released migration never changes. Each change is a new migration after the last migration.
///
/// - `meeting`, `meeting_tenant`, `meeting_tag`, `attendee`: live meetings. Times are milliseconds
///   since 1970-01-01T00:00:00Z, and identifiers are lower-case text. `request_token` is the token
///   of the request. If the meeting has one tenant, the tenant and a line feed precede the token.
///   `display_name` is NULL for an attendee without a display name, also in `attendance`.
/// - `transcription`: current transcriptions, and stopped transcriptions (`configuration` is NULL).
/// - `spoken_language`: languages that an operator set for attendees.
/// - `record`: one row per meeting. The store keeps the row after the meeting's end. The row has
///   the number of the meeting's events, and the recorded position in the stream of the meeting's
///   roster. `tenants` are tenant ids separated by line feeds.
/// - `attendance`: the sessions of attendees in meetings. A current session has no `left_at`.
/// - `meeting_event`: the events of meetings, numbered from 1 in each meeting.
/// - `webhook`, `webhook_delivery`: the receivers of events, and the pending deliveries of each.
/// - `erased_attendee`: erased attendees. For a day after the erasure, the store records nothing
///   about these attendees.
/// - `numbering`: one row with the time at which the numbering of events began, or at which an
///   operator restored the store. `lease`: the duties that one gateway performs.
/// - `ended_meeting`, `ended_attendee`: the rows that remain of an ended meeting, so that gateways
///   can notify the meeting's attendees of the end. These rows contain no names.
enum MeetingsSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 meetings and attendees") { database in
      try database.execute(sql: firstVersion)
    }
    migrator.registerMigration("2 transcription") { database in
      try database.execute(sql: transcription)
    }
    migrator.registerMigration("3 records") { database in
      try database.execute(sql: records)
    }
    migrator.registerMigration("4 tokens of tenants") { database in
      try database.execute(sql: tokensOfTenants)
    }
    migrator.registerMigration("5 display names") { database in
      try database.execute(sql: displayNames)
    }
    return migrator
  }

  /// The SQL that sets a new, higher epoch for the events of all meetings.
  static let renumbering = """
    UPDATE numbering SET epoch =
      max(epoch + 1, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
    """

  private static let tokensOfTenants = """
    UPDATE meeting SET request_token =
      (SELECT min(tenant_id) FROM meeting_tenant WHERE meeting_id = meeting.id)
        || char(10) || request_token
      WHERE (SELECT count(DISTINCT tenant_id) FROM meeting_tenant
             WHERE meeting_id = meeting.id) = 1;
    """

  private static let displayNames = """
    ALTER TABLE attendee ADD COLUMN display_name TEXT;
    ALTER TABLE attendance ADD COLUMN display_name TEXT;
    """

  private static let records = """
    ALTER TABLE meeting ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE attendee ADD COLUMN is_barred INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX attendee_by_user ON attendee(external_user_id);

    CREATE TABLE record (
      meeting_id TEXT NOT NULL PRIMARY KEY,
      external_id TEXT NOT NULL,
      primary_id TEXT,
      tenants TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      ended_at INTEGER,
      last_event INTEGER NOT NULL DEFAULT 0,
      roster_epoch INTEGER,
      roster_sequence INTEGER NOT NULL DEFAULT 0,
      sessions INTEGER NOT NULL DEFAULT 0,
      unrecorded INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX record_by_end ON record(ended_at) WHERE ended_at IS NOT NULL;
    INSERT INTO record (meeting_id, external_id, primary_id, tenants, created_at)
      SELECT id, external_id, primary_id,
        coalesce((SELECT group_concat(tenant_id, char(10)) FROM meeting_tenant
                  WHERE meeting_id = meeting.id), ''), created_at FROM meeting;

    CREATE TABLE attendance (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      meeting_id TEXT NOT NULL REFERENCES record(meeting_id) ON DELETE CASCADE,
      attendee_id TEXT NOT NULL,
      external_user_id TEXT NOT NULL,
      joined_at INTEGER NOT NULL,
      left_at INTEGER,
      reason TEXT
    ) STRICT;
    CREATE INDEX attendance_by_meeting ON attendance(meeting_id, number);
    CREATE UNIQUE INDEX attendance_now ON attendance(meeting_id, attendee_id)
      WHERE left_at IS NULL;
    CREATE INDEX attendance_by_user ON attendance(external_user_id);

    CREATE TABLE meeting_event (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      meeting_id TEXT NOT NULL REFERENCES record(meeting_id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      type TEXT NOT NULL,
      at INTEGER NOT NULL,
      attendee_id TEXT,
      external_user_id TEXT,
      reason TEXT,
      UNIQUE (meeting_id, sequence)
    ) STRICT;
    CREATE INDEX meeting_event_by_user ON meeting_event(external_user_id)
      WHERE external_user_id IS NOT NULL;

    CREATE TABLE numbering (epoch INTEGER NOT NULL) STRICT;
    INSERT INTO numbering VALUES (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));

    CREATE TABLE webhook (
      id TEXT NOT NULL PRIMARY KEY,
      url TEXT NOT NULL,
      nonce BLOB NOT NULL,
      is_enabled INTEGER NOT NULL DEFAULT 1,
      created_at INTEGER NOT NULL,
      dropped INTEGER NOT NULL DEFAULT 0,
      failing_since INTEGER,
      problem TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE webhook_delivery (
      webhook_id TEXT NOT NULL REFERENCES webhook(id) ON DELETE CASCADE,
      meeting_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      number INTEGER NOT NULL REFERENCES meeting_event(number) ON DELETE CASCADE,
      PRIMARY KEY (webhook_id, meeting_id, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX webhook_delivery_by_number ON webhook_delivery(number);

    CREATE TABLE erased_attendee (
      attendee_id TEXT NOT NULL PRIMARY KEY,
      erased_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE lease (
      name TEXT NOT NULL PRIMARY KEY,
      holder TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

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
