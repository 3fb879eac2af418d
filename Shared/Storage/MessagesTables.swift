internal import MeetingModel

/// The rows of logs. The messages and sessions of a log refer to the log's number.
enum LogTable {
  /// Returns the log's number; `nil` if there is no log with this epoch.
  static func number(of meeting: MeetingID, epoch: UInt64, in database: Database) throws -> Int64? {
    let sql = "SELECT number FROM log WHERE meeting_id = ? AND epoch = ?"
    return try database.row(sql, [meeting.text, epoch.stored])?.number("number")
  }

  /// Claims a log, and creates the log if it is missing. After the claim, changes by the log's
  /// previous owner fail.
  ///
  /// - Parameter state: The initial state of a new log.
  static func claim(
    _ meeting: MeetingID, beginningWith state: StoredLogState, in database: Database
  ) throws -> SQLRow? {
    try database.row(
      """
      INSERT INTO log (meeting_id, epoch, last_sequence, last_accepted_at, kept_after, lost_through,
        touched_at, term)
      VALUES (?, ?, 0, 0, 0, 0, ?, 1)
      ON CONFLICT (meeting_id) DO UPDATE SET term = log.term + 1
      RETURNING *
      """, [meeting.text, state.epoch.stored, state.touchedAtMs.stored])
  }

  /// Deletes the logs that no session has used since the given time.
  static func deleteIdle(since time: UInt64, in database: Database) throws {
    let sql = "SELECT meeting_id FROM log WHERE touched_at <= ?"
    for row in try database.rows(sql, [time.stored]) { try delete(meeting(row), in: database) }
  }

  /// Returns the time of the last use of any log.
  static func lastTouched(in database: Database) throws -> UInt64 {
    let sql = "SELECT COALESCE(MAX(touched_at), 0) AS touched_at FROM log"
    return try database.row(sql, [])?.count("touched_at") ?? 0
  }

  /// Appends to a log. One statement both checks that the log is in the expected state and records
  /// the new state.
  ///
  /// - Returns: The log's number, or `nil` if the stored log is not in the expected state.
  static func write(
    _ change: LogChange, of meeting: MeetingID, in database: Database
  ) throws -> Int64? {
    let state = change.state
    if state.term > 0 {
      return try database.row(
        """
        UPDATE log SET last_sequence = ?, last_accepted_at = ?, kept_after = ?, lost_through = ?,
          touched_at = ?
        WHERE meeting_id = ? AND term = ? AND epoch = ? AND last_sequence = ?
        RETURNING number
        """,
        [
          state.lastSequence.stored, state.lastAcceptedAtMs.stored, state.keptAfter.stored,
          state.lostThrough.stored, state.touchedAtMs.stored, meeting.text, state.term.stored,
          state.epoch.stored, change.previousSequence.stored,
        ])?.number("number")
    }
    return try database.row(
      """
      INSERT INTO log (meeting_id, epoch, last_sequence, last_accepted_at, kept_after, lost_through,
        touched_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (meeting_id) DO UPDATE SET last_sequence = excluded.last_sequence,
        last_accepted_at = excluded.last_accepted_at, kept_after = excluded.kept_after,
        lost_through = excluded.lost_through, touched_at = excluded.touched_at
      WHERE log.epoch = excluded.epoch AND log.last_sequence = ? AND log.term = 0
      RETURNING number
      """,
      [
        meeting.text, state.epoch.stored, state.lastSequence.stored, state.lastAcceptedAtMs.stored,
        state.keptAfter.stored, state.lostThrough.stored, state.touchedAtMs.stored,
        change.previousSequence.stored,
      ])?.number("number")
  }

  /// Deletes a log with its messages and sessions.
  static func delete(_ meeting: MeetingID, in database: Database) throws {
    let row = try database.row("SELECT number FROM log WHERE meeting_id = ?", [meeting.text])
    guard let number = try row?.number("number") else { return }
    try MessageTable.delete(0...MessageTable.lastSequence, of: number, in: database)
    try database.run("DELETE FROM session WHERE log = ?", [number])
    try database.run("DELETE FROM log WHERE number = ?", [number])
  }

  static func meeting(_ row: SQLRow) throws -> MeetingID {
    try row.parsed("meeting_id", MeetingID.init(_:))
  }

  static func state(_ row: SQLRow) throws -> StoredLogState {
    var state = StoredLogState(
      epoch: try row.count("epoch"), touchedAtMs: try row.count("touched_at"))
    state.lastSequence = try row.count("last_sequence")
    state.lastAcceptedAtMs = try row.count("last_accepted_at")
    state.keptAfter = try row.count("kept_after")
    state.lostThrough = try row.count("lost_through")
    state.term = try row.count("term")
    return state
  }
}

/// The rows of messages.
///
/// A row's id is its log's number times 2³⁶ plus the message's sequence. So a log's messages are
/// adjacent and ordered, the table needs no other index, and two messages of a log cannot have the
/// same sequence.
enum MessageTable {
  static let lastSequence: UInt64 = 1 << 36 - 1

  static func insert(_ messages: [StoredMessage], into log: Int64, in database: Database) throws {
    guard !messages.isEmpty else { return }
    guard let connection = database.connection as? SQLiteConnection else {
      return try send(messages, to: log, in: database)
    }
    var row = try SQLRowWriter(insertion, in: connection)
    for message in messages {
      try row.bind(id(of: message.sequence, in: log), at: 1)
      try row.bind(message.acceptedAtMs.stored, at: 2)
      try row.bind(Int64(message.lifetimeMs), at: 3)
      row.bind(message.topic, at: 4)
      if let sender = message.sender {
        row.bind(at: 6, sender.id.append(to:))
        row.bind(sender.externalUserID.text, at: 7)
        if let name = sender.displayName { row.bind(name.text, at: 10) }
      }
      row.bind(at: 8) { text in
        for (place, recipient) in message.recipients.enumerated() {
          if place > 0 { text.append(UInt8(ascii: ",")) }
          recipient.guid.append(to: &text)
        }
      }
      row.bind(message.idempotencyKey, at: 9)
      try row.run(with: message.data, at: 5)
    }
  }

  private static let insertion = """
    INSERT INTO message (id, accepted_at, lifetime, topic, data, sender_id, sender_external_id,
      recipients, idempotency_key, sender_display_name)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private static func send(
    _ messages: [StoredMessage], to log: Int64, in database: Database
  ) throws {
    for message in messages {
      try database.run(
        insertion,
        [
          id(of: message.sequence, in: log), message.acceptedAtMs.stored, Int64(message.lifetimeMs),
          message.topic, message.data, message.sender?.id.text, message.sender?.externalUserID.text,
          message.recipients.map(\.text).joined(separator: ","), message.idempotencyKey,
          message.sender?.displayName?.text,
        ])
    }
  }

  /// Deletes messages of a log.
  ///
  /// - Parameter sequences: The sequences, ascending.
  static func delete(_ sequences: [UInt64], of log: Int64, in database: Database) throws {
    var rest = sequences[...]
    while let first = rest.first {
      var last = first
      while rest.popFirst() != nil, rest.first == last + 1 { last += 1 }
      try delete(first...last, of: log, in: database)
    }
  }

  static func delete(
    _ sequences: ClosedRange<UInt64>, of log: Int64, in database: Database
  ) throws {
    try database.run(
      "DELETE FROM message WHERE id BETWEEN ? AND ?",
      [id(of: sequences.lowerBound, in: log), id(of: sequences.upperBound, in: log)])
  }

  static func fetch(of log: Int64, in database: Database) throws -> [StoredMessage] {
    let sql = "SELECT * FROM message WHERE id BETWEEN ? AND ? ORDER BY id"
    return try database.rows(sql, [id(of: 0, in: log), id(of: lastSequence, in: log)])
      .map(message)
  }

  /// Returns the sequences of a sender's messages. This method scans all messages, so callers use
  /// it rarely.
  static func places(
    ofSender user: ExternalUserID, in database: Database
  ) throws -> [MeetingID: Set<UInt64>] {
    let rows = try database.rows(
      """
      SELECT meeting_id, message.id AS id FROM message JOIN log ON log.number = message.id >> 36
      WHERE sender_external_id = ?
      """, [user.text])
    return try rows.reduce(into: [:]) { places, row in
      let meeting = try row.parsed("meeting_id", MeetingID.init(_:))
      places[meeting, default: []].insert(UInt64(try row.number("id")) & lastSequence)
    }
  }

  /// Reads a page of a log.
  ///
  /// - Parameter maxBytes: The maximum number of bytes of data. The page always has room for one
  ///   message.
  static func page(
    of log: Int64, after: UInt64, through: UInt64, maxBytes: Int, in database: Database
  ) throws -> StoredPage {
    let end = id(of: min(through, lastSequence), in: log)
    var start = id(of: min(after, lastSequence), in: log)
    var (page, bytes) = (StoredPage(messages: [], through: through), 0)
    while true {
      // This method reads rows in groups, because only the sizes of the rows determine where the
      // page ends.
      let rows = try database.rows(
        "SELECT * FROM message WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
        [start, end, rowsAtOnce])
      for row in rows {
        let message = try message(row)
        bytes += message.data.count
        guard bytes <= maxBytes || page.messages.isEmpty else {
          page.through = message.sequence - 1
          return page
        }
        page.messages.append(message)
      }
      guard rows.count == rowsAtOnce, let last = rows.last else { return page }
      start = try last.number("id")
    }
  }

  private static let rowsAtOnce = 64

  private static func id(of sequence: UInt64, in log: Int64) -> Int64 {
    precondition(sequence <= lastSequence, "A log has at most 2³⁶ - 1 messages.")
    return log << 36 | Int64(sequence)
  }

  private static func message(_ row: SQLRow) throws -> StoredMessage {
    let recipients = try row.text("recipients").split(separator: ",")
    guard let lifetimeMs = UInt32(exactly: try row.number("lifetime")) else {
      throw SQLRow.Damage(column: "lifetime")
    }
    return StoredMessage(
      sequence: UInt64(try row.number("id")) & lastSequence,
      acceptedAtMs: try row.count("accepted_at"), lifetimeMs: lifetimeMs,
      topic: try row.text("topic"),
      data: try row.bytes("data"), sender: try sender(row),
      recipients: try row.composed("recipients") {
        try recipients.map { try AttendeeID(String($0)) }
      },
      idempotencyKey: try row.text("idempotency_key"))
  }

  private static func sender(_ row: SQLRow) throws -> ParticipantIdentity? {
    guard let id = try row.parsedIfPresent("sender_id", ParticipantID.init(_:)) else { return nil }
    return ParticipantIdentity(
      id: id,
      externalUserID: try row.parsed("sender_external_id", ExternalUserID.init(_:)),
      displayName: try row.displayName("sender_display_name"))
  }
}

/// The rows of sessions that read a log.
enum MessageLogReaderTable {
  static func insert(_ session: StoredLogReader, into log: Int64, in database: Database) throws {
    try database.run(
      """
      INSERT INTO session (log, id, participant_id, present_after) VALUES (?, ?, ?, ?)
      ON CONFLICT (log, id) DO UPDATE SET participant_id = excluded.participant_id,
        present_after = excluded.present_after
      """,
      [log, session.id.bytes, session.participant.text, session.presentAfter.stored])
  }

  static func delete(_ session: SessionID, of log: Int64, in database: Database) throws {
    try database.run(
      "DELETE FROM session WHERE log = ? AND id = ?", [log, session.bytes])
  }

  static func fetch(of log: Int64, in database: Database) throws -> [StoredLogReader] {
    try database.rows("SELECT * FROM session WHERE log = ?", [log]).map { row in
      guard let id = SessionID(bytes: try row.bytes("id")) else {
        throw SQLRow.Damage(column: "id")
      }
      return StoredLogReader(
        id: id, participant: try row.parsed("participant_id", ParticipantID.init(_:)),
        presentAfter: try row.count("present_after"))
    }
  }
}

/// The rows of recently ended meetings.
enum EndedLogTable {
  static func insert(_ meeting: MeetingID, at time: UInt64, in database: Database) throws {
    try database.run(
      """
      INSERT INTO ended_log (meeting_id, ended_at) VALUES (?, ?)
      ON CONFLICT (meeting_id) DO UPDATE SET ended_at = excluded.ended_at
      """,
      [meeting.text, time.stored])
  }

  static func delete(_ meeting: MeetingID, in database: Database) throws {
    try database.run("DELETE FROM ended_log WHERE meeting_id = ?", [meeting.text])
  }

  static func ending(of meeting: MeetingID, in database: Database) throws -> UInt64? {
    let sql = "SELECT ended_at FROM ended_log WHERE meeting_id = ?"
    return try database.row(sql, [meeting.text])?.count("ended_at")
  }

  static func fetch(in database: Database) throws -> [MeetingID: UInt64] {
    var endings: [MeetingID: UInt64] = [:]
    for row in try database.rows("SELECT * FROM ended_log", []) {
      endings[try row.parsed("meeting_id", MeetingID.init(_:))] = try row.count("ended_at")
    }
    return endings
  }
}

extension SQLRow {
  /// Returns the number in a column that never contains a negative number.
  fileprivate func count(_ column: String) throws(Damage) -> UInt64 {
    guard let count = UInt64(exactly: try number(column)) else { throw Damage(column: column) }
    return count
  }
}

extension UInt64 {
  /// The number as the signed integer of a column. Counts and times never reach the maximum of this
  /// type.
  fileprivate var stored: Int64 { Int64(clamping: self) }
}
