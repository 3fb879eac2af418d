public import MeetingModel

// Receivers of events, and what they have been told.
extension MeetingStore {
  /// Adds a receiver: it is told of everything that happens from now on. A receiver with the same
  /// URL is the same one, so that a program may add its receiver each time it starts.
  ///
  /// - Parameters:
  ///   - url: Checked by the caller.
  ///   - isEnabled: Whether events are sent at once; `nil`: yes, or as the receiver that exists is.
  /// - Returns: The receiver. If it is new, also the secret by which what it gets is signed.
  /// - Throws: ``StorageError/webhookConflict`` if the receiver exists and `isEnabled` differs;
  ///   ``StorageError/tooManyWebhooks(_:)``.
  public func addWebhook(
    at url: String, isEnabled: Bool? = nil, now: Int64
  ) async throws(StorageError) -> (webhook: Webhook, secret: [UInt8]?) {
    let webhook = Webhook(
      id: GUID.random().text, url: url, isEnabled: isEnabled ?? true, createdAt: now,
      pending: 0, dropped: 0)
    let nonce = JoinTokens.makeNonce()
    let existing = try await write { [self] database -> Webhook? in
      // Earlier versions may have left several receivers with this URL.
      let existing = try WebhookTable.fetch(in: database).filter { $0.url == url }
      if let same = existing.first(where: { isEnabled == nil || $0.isEnabled == isEnabled }) {
        return same
      }
      guard existing.isEmpty else { throw StorageError.webhookConflict }
      let most = retention.maxWebhooks
      guard try database.count("SELECT count(*) FROM webhook", []) < most else {
        throw StorageError.tooManyWebhooks(most)
      }
      try WebhookTable.insert(webhook, nonce: nonce, in: database)
      return nil
    }
    if let existing { return (existing, nil) }
    return (webhook, tokens.webhookSecret(of: webhook.id, nonce: nonce))
  }

  /// All receivers, the oldest first.
  public func webhooks() async throws(StorageError) -> [Webhook] {
    try await read { try WebhookTable.fetch(in: $0) }
  }

  /// - Throws: ``StorageError/webhookNotFound(_:)``.
  public func webhook(_ id: String) async throws(StorageError) -> Webhook {
    try await read { [self] in try existing(id, $0) }
  }

  /// What is sent to a receiver is signed by this; `nil` if there is no such receiver any more.
  public func webhookSecret(of id: String) async throws(StorageError) -> [UInt8]? {
    try await read { [self] database in
      try WebhookTable.nonce(of: id, in: database).map { tokens.webhookSecret(of: id, nonce: $0) }
    }
  }

  /// Sends a receiver nothing for a while, or again.
  ///
  /// - Returns: The receiver as it is now.
  /// - Throws: ``StorageError/webhookNotFound(_:)``.
  public func setWebhook(_ id: String, isEnabled: Bool) async throws(StorageError) -> Webhook {
    try await write { [self] database in
      try database.run("UPDATE webhook SET is_enabled = ? WHERE id = ?", [isEnabled, id])
      return try existing(id, database)
    }
  }

  /// - Throws: ``StorageError/webhookNotFound(_:)``.
  public func deleteWebhook(_ id: String) async throws(StorageError) {
    try await write { [self] database in
      _ = try existing(id, database)
      try database.run("DELETE FROM webhook WHERE id = ?", [id])
    }
  }

  /// Tells a receiver once more of a meeting's events that are kept, from a place on and in order.
  ///
  /// - Returns: How many it must be told that it was not owed before.
  /// - Throws: ``StorageError/webhookNotFound(_:)``; ``StorageError/meetingNotFound(_:)`` for a
  ///   meeting that is unknown or forgotten.
  public func replay(
    of meeting: MeetingID, from sequence: Int64, to id: String
  ) async throws(StorageError) -> Int {
    try await write { [self] database in
      _ = try existing(id, database)
      guard try RecordTable.fetch(meeting, in: database) != nil else {
        throw StorageError.meetingNotFound(meeting)
      }
      return try WebhookTable.oweAgain(id, of: meeting, from: sequence, in: database)
    }
  }

  // MARK: Delivering

  /// What must be told next: of each receiver and meeting one event, the oldest first.
  ///
  /// - Parameter limit: Of each receiver as many at most.
  public func nextDeliveries(limit: Int) async throws(StorageError) -> [WebhookDelivery] {
    try await read { try WebhookTable.next(limit: limit, in: $0) }
  }

  /// A receiver has taken an event.
  ///
  /// - Parameter holder: Who delivers; nothing is noted if that is somebody else by now.
  /// - Returns: What it must be told next of the same meeting; `nil`: nothing, or not by `holder`.
  public func delivered(
    _ delivery: WebhookDelivery, by holder: String
  ) async throws(StorageError) -> WebhookDelivery? {
    try await write { database in
      guard try LeaseTable.holder(of: .webhooks, in: database) == holder else { return nil }
      let event = delivery.event
      try database.run(
        "DELETE FROM webhook_delivery WHERE webhook_id = ? AND meeting_id = ? AND sequence = ?",
        [delivery.webhook, event.meeting.text, event.sequence])
      try database.run(
        "UPDATE webhook SET failing_since = NULL, problem = NULL "
          + "WHERE id = ? AND failing_since IS NOT NULL", [delivery.webhook])
      return try WebhookTable.next(
        of: (delivery.webhook, event.meeting), limit: 1, in: database
      ).first
    }
  }

  /// A receiver has not taken an event.
  ///
  /// - Parameter problem: For the operator; kept in at most 200 characters.
  public func notDelivered(
    to webhook: String, because problem: String, at now: Int64
  ) async throws(StorageError) {
    let problem = String(problem.prefix(200))
    try await write { database in
      try database.run(
        "UPDATE webhook SET failing_since = coalesce(failing_since, ?1), problem = ?2 "
          + "WHERE id = ?3 AND problem IS DISTINCT FROM ?2", [now, problem, webhook])
    }
  }

  /// Takes a duty that one gateway has at a time, or keeps it.
  ///
  /// - Returns: Whether `holder` has it, until `now` and `duration` are over.
  public func take(
    _ duty: GatewayDuty, as holder: String, for duration: Duration, at now: Int64
  ) async throws(StorageError) -> Bool {
    try await write { database in
      try LeaseTable.take(duty, as: holder, until: now + duration.wholeMs, at: now, in: database)
    }
  }

  private func existing(_ id: String, _ database: Database) throws -> Webhook {
    guard let webhook = try WebhookTable.fetch(id, in: database).first else {
      throw StorageError.webhookNotFound(id)
    }
    return webhook
  }
}
