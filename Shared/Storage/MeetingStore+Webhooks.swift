public import MeetingModel

// Stores the receivers of events, and the deliveries to these receivers.
extension MeetingStore {
  /// Adds a receiver. The receiver gets all later events.
  ///
  /// A receiver's URL identifies the receiver, so a program can add its receiver each time the
  /// program starts.
  ///
  /// - Parameters:
  ///   - url: The URL, which the caller has checked.
  ///   - isEnabled: Whether deliveries start immediately. `nil` enables a new receiver, and does
  ///     not change an existing receiver.
  /// - Returns: The receiver and, for a new receiver, the secret that signs its deliveries.
  /// - Throws: ``StorageError/webhookConflict`` if the receiver exists and `isEnabled` differs;
  ///   ``StorageError/tooManyWebhooks(_:)``.
  public func addWebhook(
    at url: String, isEnabled: Bool? = nil, now: Int64
  ) async throws(StorageError) -> (webhook: Webhook, secret: [UInt8]?) {
    let webhook = Webhook(
      id: GUID.random().text, url: url, isEnabled: isEnabled ?? true, createdAt: now,
      pending: 0, dropped: 0)
    let nonce = JoinTokenIssuer.makeNonce()
    let existing = try await write { [self] database -> Webhook? in
      // Earlier versions may have stored several receivers with this URL.
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

  /// Returns all receivers, the oldest first.
  public func webhooks() async throws(StorageError) -> [Webhook] {
    try await read { try WebhookTable.fetch(in: $0) }
  }

  /// Returns a receiver.
  ///
  /// - Throws: ``StorageError/webhookNotFound(_:)``.
  public func webhook(_ id: String) async throws(StorageError) -> Webhook {
    try await read { [self] in try existing(id, $0) }
  }

  /// Returns the secret that signs deliveries to a receiver; `nil` if the store no longer has the
  /// receiver.
  public func webhookSecret(of id: String) async throws(StorageError) -> [UInt8]? {
    try await read { [self] database in
      try WebhookTable.nonce(of: id, in: database).map { tokens.webhookSecret(of: id, nonce: $0) }
    }
  }

  /// Enables or disables the deliveries to a receiver.
  ///
  /// - Returns: The changed receiver.
  /// - Throws: ``StorageError/webhookNotFound(_:)``.
  public func setWebhook(_ id: String, isEnabled: Bool) async throws(StorageError) -> Webhook {
    try await write { [self] database in
      try database.run("UPDATE webhook SET is_enabled = ? WHERE id = ?", [isEnabled, id])
      return try existing(id, database)
    }
  }

  /// Removes a receiver.
  ///
  /// - Throws: ``StorageError/webhookNotFound(_:)``.
  public func deleteWebhook(_ id: String) async throws(StorageError) {
    try await write { [self] database in
      _ = try existing(id, database)
      try database.run("DELETE FROM webhook WHERE id = ?", [id])
    }
  }

  /// Adds deliveries of a meeting's stored events to a receiver, in order, starting at a sequence.
  ///
  /// - Returns: The number of deliveries that were not pending before this call.
  /// - Throws: ``StorageError/webhookNotFound(_:)``; or ``StorageError/meetingNotFound(_:)`` if
  ///   the meeting is unknown, or if the store has deleted the meeting's record.
  public func replay(
    of meeting: MeetingID, from sequence: Int64, to id: String
  ) async throws(StorageError) -> Int {
    try await write { [self] database in
      _ = try existing(id, database)
      guard try MeetingRecordTable.fetch(meeting, in: database) != nil else {
        throw StorageError.meetingNotFound(meeting)
      }
      return try WebhookTable.oweAgain(id, of: meeting, from: sequence, in: database)
    }
  }

  // MARK: Delivering

  /// Returns the next delivery of each receiver and meeting, the oldest first.
  ///
  /// - Parameter limit: The maximum number of deliveries per receiver.
  public func nextDeliveries(limit: Int) async throws(StorageError) -> [WebhookDelivery] {
    try await read { try WebhookTable.next(limit: limit, in: $0) }
  }

  /// Records that a receiver has accepted an event.
  ///
  /// - Parameter holder: The gateway that delivered the event. If this gateway does not have the
  ///   lease, the store records nothing.
  /// - Returns: The next delivery of the same meeting; `nil` if no delivery is pending, or if
  ///   `holder` has lost the lease.
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

  /// Records that a receiver has not accepted an event.
  ///
  /// - Parameter problem: The reason, for the operator. The store truncates a longer reason to 200
  ///   characters; the last of these characters is `…`.
  public func notDelivered(
    to webhook: String, because problem: String, at now: Int64
  ) async throws(StorageError) {
    let problem = problem.count > 200 ? problem.prefix(199) + "…" : problem
    try await write { database in
      try database.run(
        "UPDATE webhook SET failing_since = coalesce(failing_since, ?1), problem = ?2 "
          + "WHERE id = ?3 AND problem IS DISTINCT FROM ?2", [now, problem, webhook])
    }
  }

  /// Takes or renews the lease on a duty.
  ///
  /// - Returns: Whether `holder` has the lease. The lease ends `duration` after `now`.
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
