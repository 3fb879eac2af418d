internal import MeetingModel

/// The rows of webhook receivers and their pending deliveries.
enum WebhookTable {
  static func insert(
    _ webhook: Webhook, nonce: [UInt8], in database: Database
  ) throws {
    try database.run(
      "INSERT INTO webhook (id, url, nonce, is_enabled, created_at) VALUES (?, ?, ?, ?, ?)",
      [webhook.id, webhook.url, nonce, webhook.isEnabled, webhook.createdAt])
  }

  static func nonce(of id: String, in database: Database) throws -> [UInt8]? {
    try database.row("SELECT nonce FROM webhook WHERE id = ?", [id])?.bytes("nonce")
  }

  static func fetch(_ id: String? = nil, in database: Database) throws -> [Webhook] {
    try database.rows(
      """
      SELECT *, (SELECT count(*) FROM webhook_delivery WHERE webhook_id = webhook.id) AS pending
      FROM webhook WHERE id = ?1 OR ?1 IS NULL ORDER BY created_at, id
      """, [id]
    ).map(webhook)
  }

  /// Adds a pending delivery of an event for every receiver.
  static func owe(
    _ number: Int64, at sequence: Int64, of meeting: MeetingID, in database: Database
  ) throws {
    try database.run(
      """
      INSERT INTO webhook_delivery (webhook_id, meeting_id, sequence, number)
      SELECT id, ?, ?, ? FROM webhook
      """, [meeting.text, sequence, number])
  }

  /// Adds pending deliveries of a meeting's events for a receiver, starting at a sequence.
  static func oweAgain(
    _ id: String, of meeting: MeetingID, from sequence: Int64, in database: Database
  ) throws -> Int {
    try database.changes(
      """
      INSERT INTO webhook_delivery (webhook_id, meeting_id, sequence, number)
      SELECT ?, meeting_id, sequence, number FROM meeting_event
      WHERE meeting_id = ? AND sequence >= ?
      ON CONFLICT DO NOTHING
      """, [id, meeting.text, sequence])
  }

  /// Adds deliveries to the number of dropped deliveries, because the store deletes the events of
  /// these deliveries.
  static func countDropped(
    _ numbers: String, _ arguments: [(any SQLConvertible)?], in database: Database
  ) throws {
    let rows = try database.rows(
      """
      SELECT webhook_id, count(*) AS count FROM webhook_delivery WHERE number IN (\(numbers))
      GROUP BY webhook_id
      """, arguments)
    for row in rows {
      try database.run(
        "UPDATE webhook SET dropped = dropped + ? WHERE id = ?",
        [try row.number("count"), try row.text("webhook_id")])
    }
  }

  /// Returns the next pending deliveries of each receiver and meeting, oldest first.
  ///
  /// - Parameters:
  ///   - lane: If not `nil`, this method returns only deliveries of this meeting's events to this
  ///     receiver.
  ///   - limit: The maximum number of deliveries per receiver, so that a backlog does not delay
  ///     other receivers.
  static func next(
    of lane: (webhook: String, meeting: MeetingID)? = nil, limit: Int, in database: Database
  ) throws -> [WebhookDelivery] {
    // Within a meeting, a later event always has a higher number.
    try database.rows(
      """
      WITH head AS (
        SELECT webhook_id, min(number) AS number FROM webhook_delivery
        WHERE (webhook_id = ?1 AND meeting_id = ?2) OR ?1 IS NULL
        GROUP BY webhook_id, meeting_id
      ), ranked AS (
        SELECT webhook_id, number,
          row_number() OVER (PARTITION BY webhook_id ORDER BY number) AS place FROM head
      )
      SELECT ranked.webhook_id AS webhook_id, url, dropped, \(EventTable.columns)
      FROM ranked JOIN webhook ON webhook.id = ranked.webhook_id AND is_enabled = 1
      JOIN meeting_event ON meeting_event.number = ranked.number
      JOIN record ON record.meeting_id = meeting_event.meeting_id
      WHERE place <= ?3 ORDER BY meeting_event.number
      """, [lane?.webhook, lane?.meeting.text, limit]
    ).map { row in
      WebhookDelivery(
        webhook: try row.text("webhook_id"), url: try row.text("url"),
        dropped: try row.number("dropped"), event: try EventTable.event(row))
    }
  }

  private static func webhook(_ row: SQLRow) throws -> Webhook {
    Webhook(
      id: try row.text("id"), url: try row.text("url"), isEnabled: try row.flag("is_enabled"),
      createdAt: try row.number("created_at"), pending: try row.number("pending"),
      dropped: try row.number("dropped"),
      failure: try row.numberIfPresent("failing_since").map {
        Webhook.Failure(since: $0, problem: try row.text("problem"))
      })
  }
}
