public import MeetingModel

extension MeetingStore {
  /// Records a meeting's transcription; `nil` records that the meeting has no transcription.
  ///
  /// - Parameter configuration: The configuration, stored unchanged.
  /// - Returns: The stored record. If the configuration is the same as before, the record is
  ///   unchanged.
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func setTranscription(
    _ configuration: [UInt8]?, of meeting: MeetingID, at now: Int64
  ) async throws(StorageError) -> StoredTranscription {
    try await write { [self] database in
      try requireMeeting(meeting, database)
      let stored = try TranscriptionTable.fetch(meeting, in: database)
      if let stored, stored.configuration == configuration { return stored }
      let changed = StoredTranscription(
        meeting: meeting, revision: (stored?.revision ?? 0) + 1, startedAtMs: now,
        configuration: configuration)
      try TranscriptionTable.replace(changed, in: database)
      return changed
    }
  }

  /// Returns the running transcriptions of all meetings.
  public func transcriptions() async throws(StorageError) -> [StoredTranscription] {
    try await read { database in
      let sql = "SELECT * FROM transcription WHERE configuration IS NOT NULL ORDER BY meeting_id"
      return try database.rows(sql, []).map(TranscriptionTable.stored)
    }
  }

  /// Records the language that an attendee speaks; `nil` selects the meeting's language.
  ///
  /// - Returns: The meeting that transcribes the attendee. For a replica, this meeting is the
  ///   replica's primary.
  /// - Throws: ``StorageError/meetingNotFound(_:)`` or ``StorageError/attendeeNotFound(_:)``.
  public func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(StorageError) -> MeetingID {
    try await write { database in
      let home = try MeetingTable.fetch(meeting, in: database)
      guard try LiveAttendeeTable.fetch(attendee, of: meeting, in: database) != nil else {
        throw StorageError.attendeeNotFound(attendee)
      }
      try database.run("DELETE FROM spoken_language WHERE attendee_id = ?", [attendee.text])
      if let language {
        try database.run(
          "INSERT INTO spoken_language (attendee_id, language) VALUES (?, ?)",
          [attendee.text, language.text])
      }
      return home.primaryID ?? home.id
    }
  }

  /// Returns the languages that operators set for attendees of all meetings.
  public func spokenLanguages() async throws(StorageError) -> [AttendeeLanguageSetting] {
    try await read { database in
      let rows = try database.rows(
        """
        SELECT coalesce(meeting.primary_id, meeting.id) AS home, attendee_id, language
        FROM spoken_language
        JOIN attendee ON attendee.id = attendee_id
        JOIN meeting ON meeting.id = attendee.meeting_id
        ORDER BY attendee.ordinal
        """, [])
      return try rows.map { row in
        AttendeeLanguageSetting(
          meeting: try row.parsed("home", MeetingID.init(_:)),
          attendee: try row.parsed("attendee_id", AttendeeID.init(_:)),
          language: try row.parsed("language", LanguageCode.init(_:)))
      }
    }
  }
}

/// The rows of live meetings' transcriptions.
private enum TranscriptionTable {
  static func fetch(
    _ meeting: MeetingID, in database: Database
  ) throws -> StoredTranscription? {
    try database.row("SELECT * FROM transcription WHERE meeting_id = ?", [meeting.text])
      .map(stored)
  }

  static func replace(_ record: StoredTranscription, in database: Database) throws {
    try database.run(
      """
      INSERT INTO transcription (meeting_id, revision, started_at, configuration)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (meeting_id) DO UPDATE SET revision = excluded.revision,
        started_at = excluded.started_at, configuration = excluded.configuration
      """,
      [
        record.meeting.text, Int64(clamping: record.revision), record.startedAtMs,
        record.configuration,
      ])
  }

  static func stored(_ row: SQLRow) throws -> StoredTranscription {
    StoredTranscription(
      meeting: try row.parsed("meeting_id", MeetingID.init(_:)),
      revision: UInt64(clamping: try row.number("revision")),
      startedAtMs: try row.number("started_at"),
      configuration: try row.bytesIfPresent("configuration"))
  }
}
