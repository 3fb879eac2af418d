import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// The log of data messages: what clients send to it and read of it. Messaging decides; a gateway asks
// again while messaging is away, and gives each client what it lacks.
extension GatewayService {
  func messagingHandlers() -> ServiceLink<MessagingClient>.Handlers {
    .init(
      onEvent: { [unowned self] event in
        assumeIsolated { $0.routeMessage(event) }
      },
      onPositions: { [unowned self] positions in
        assumeIsolated { gateway in
          for position in positions {
            guard let id = try? MeetingID(position.meetingID) else { continue }
            gateway.messages[id]?.follower.observe(position)
          }
        }
      },
      onNewTerm: { [unowned self] instance in
        assumeIsolated { gateway in
          gateway.catchUpMessages()
          gateway.learnMessagingLimits(from: instance)
        }
      },
      onSilence: { [unowned self] in assumeIsolated { $0.catchUpMessages() } },
      onMalformed: { [metrics] in metrics.malformedEvents.increment() })
  }

  private func routeMessage(_ event: ReceivedEvent) {
    guard let id = try? MeetingID(event.header.meetingID) else { return }
    messages[id]?.follower.arrive(event.header, event.body)
  }

  private func catchUpMessages() {
    for hub in messages.values { hub.follower.catchUp() }
  }

  private func learnMessagingLimits(from instance: String) {
    messaging[instance]?.client.getLimits(V1.GetLimitsRequest()) { [unowned self] result in
      guard case .success(let limits) = result else { return }
      assumeIsolated { $0.serviceLimits["messaging"] = limits }
    }
  }

  // MARK: A meeting's log

  /// The log of a meeting, followed from now on.
  func messagesHub(for meeting: MeetingID) -> StreamHub {
    if let hub = messages[meeting] { return hub }
    let hub = StreamHub(.messages, of: meeting)
    hub.follower.onEvent = { [unowned hub] header, body in hub.deliver(header, body) }
    hub.follower.onCatchUp = { [unowned self] epoch, sequence in
      assumeIsolated { $0.catchUpMessages(of: meeting, epoch, sequence) }
    }
    hub.onGap = { [unowned self] session in
      let id = session.id
      assumeIsolated { $0.fetchAnew(for: id) }
    }
    messages[meeting] = hub
    messaging.follow(meeting)
    return hub
  }

  func forgetIfUnused(_ hub: StreamHub) {
    guard hub.isUnused, messages[hub.meeting] === hub else { return }
    messages[hub.meeting] = nil
    messaging.unfollow(hub.meeting)
  }

  private func catchUpMessages(of meeting: MeetingID, _ epoch: UInt64, _ sequence: UInt64) {
    guard let owner = messaging.owner(of: meeting) else { return catchUpMessagesLater(of: meeting) }
    let request = V1.MessageReplayRequest(
      meetingID: meeting.text, epoch: epoch, afterSequence: sequence)
    owner.client.replay(request, options: CallOptions(timeout: .seconds(2))) {
      [unowned self] result in
      assumeIsolated { $0.caughtUpMessages(of: meeting, from: epoch, result) }
    }
  }

  private func caughtUpMessages(
    of meeting: MeetingID, from epoch: UInt64, _ result: Result<V1.MessageReplay, Status>
  ) {
    guard let hub = messages[meeting] else { return }
    switch result {
    case .success(let replay) where replay.epoch == epoch:
      // There may be holes where nothing is kept: each client finds out what that means for it.
      for event in replay.events {
        if let header = event.header { hub.deliver(header, event.body) }
      }
      hub.follower.reset(epoch: epoch, sequence: replay.throughSequence)
      if replay.hasMore { hub.follower.catchUp() }
    case .success(let replay):
      hub.forgetRecent()
      hub.follower.reset(epoch: replay.epoch, sequence: replay.throughSequence)
      for session in hub.sessions { fetchAnew(for: session.id) }
    case .failure(let status) where status.isWorthRepeating:
      catchUpMessagesLater(of: meeting)
    case .failure:
      hub.follower.catchUpFailed()  // The meeting is over.
    }
  }

  /// Messaging is restarting: asked again soon, and by its next beacon.
  private func catchUpMessagesLater(of meeting: MeetingID) {
    messages[meeting]?.follower.catchUpFailed()
    _ = thread.schedule(after: .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.messages[meeting]?.follower.catchUp() }
    }
  }

  // MARK: A client's part of it

  /// What a client lacks of its meeting's messages. From here on messaging counts it as present.
  ///
  /// - Parameter position: How far the client had come; `nil` for one that comes anew.
  /// - Returns: `nil` for a client that reads none, and when messaging does not answer in time:
  ///   nobody is kept out of a meeting for that.
  func fetchMessages(
    for session: Session, after position: V1.StreamPosition?
  ) async -> MissedMessages? {
    guard let meeting = session.messagesMeeting else { return nil }
    let deadline = thread.now + Self.patienceWithMessaging
    while true {
      let status: Status
      do throws(Status) {
        return try await readMessages(of: meeting, for: session, after: position)
      } catch {
        status = error
      }
      guard status.isWorthRepeating, thread.now < deadline else {
        logger.info(
          "A client's messages have to wait",
          metadata: [LogKey.meeting: "\(meeting)", LogKey.status: "\(status.code)"])
        return nil
      }
      do { try await Task.sleep(for: .milliseconds(50)) } catch { return nil }
    }
  }

  /// Longer than a restart of messaging takes.
  private static let patienceWithMessaging = Duration.seconds(1)

  private func readMessages(
    of meeting: MeetingID, for session: Session, after position: V1.StreamPosition?
  ) async throws(Status) -> MissedMessages {
    guard let owner = messaging.owner(of: meeting) else { throw Self.messagingIsAway }
    let join = V1.JoinMessagesRequest(
      meetingID: meeting.text, sessionID: session.id.bytes, participantID: session.participant.text)
    var request = V1.MessageReplayRequest(
      meetingID: meeting.text, sessionID: session.id.bytes, participantID: session.participant.text)
    var page: V1.MessageReplay
    if let position {
      // Before the join: it tells from whether the session is known what it was present for.
      (request.epoch, request.afterSequence) = (position.epoch, position.sequence)
      page = try await owner.client.replay(request, options: Self.readOptions)
      var join = join
      join.maxBytes = 1
      _ = try await owner.client.join(join, options: Self.readOptions)
    } else {
      page = try await owner.client.join(join, options: Self.readOptions)
    }
    var (events, isComplete) = (page.events, page.isComplete || position == nil)
    while page.hasMore {
      (request.epoch, request.afterSequence) = (page.epoch, page.throughSequence)
      page = try await owner.client.replay(request, options: Self.readOptions)
      events += page.events
      isComplete = isComplete && page.isComplete
    }
    let cursor = StreamCursor(epoch: page.epoch, sequence: page.throughSequence)
    if let hub = messages[meeting], hub.follower.cursor == nil {
      hub.follower.reset(epoch: cursor.epoch, sequence: cursor.sequence)
    }
    return MissedMessages(cursor: cursor, events: events, isComplete: isComplete)
  }

  private static let readOptions = CallOptions(timeout: .seconds(2))

  /// The session begins to get its meeting's messages, now or as soon as messaging answers.
  func enterMessages(
    _ session: Session, _ missed: MissedMessages?, _ position: V1.StreamPosition?
  ) {
    guard let meeting = session.messagesMeeting else { return }
    messagesHub(for: meeting).add(session)
    if let missed {
      give(missed, to: session)
    } else {
      fetchLater(for: session, after: position)
    }
  }

  private func give(_ missed: MissedMessages, to session: Session) {
    guard let meeting = session.messagesMeeting else { return }
    session.cursors[.messages] = missed.cursor
    session.queue(missed.item)
    messages[meeting]?.catchUp(session)
  }

  /// The client's position is not kept here any more, or is of another numbering.
  private func fetchAnew(for id: SessionID) {
    guard let session = sessions[id], let cursor = session.cursors[.messages] else { return }
    session.cursors[.messages] = nil  // Until it is given what it lacks.
    let position = V1.StreamPosition(
      stream: MeetingStream.messages.name, epoch: cursor.epoch, sequence: cursor.sequence)
    fetchLater(for: session, after: position)
  }

  private func fetchLater(for session: Session, after position: V1.StreamPosition?) {
    let id = session.id
    session.fetching?.cancel()
    session.fetching = Task(executorPreference: thread) {
      await self.keepFetching(for: id, after: position)
    }
  }

  private func keepFetching(for id: SessionID, after position: V1.StreamPosition?) async {
    defer { if !Task.isCancelled { sessions[id]?.fetching = nil } }
    while !Task.isCancelled, let session = sessions[id] {
      let missed = await fetchMessages(for: session, after: position)
      guard !Task.isCancelled, sessions[id] === session else { return }
      guard let missed else {
        try? await Task.sleep(for: .milliseconds(200))
        continue
      }
      if !missed.isComplete {
        let event = V1.EventsLost(stream: MeetingStream.messages.name)
        session.queue(
          SharedItem(V1.SessionEvents(events: [V1.SessionEvent(event: .eventsLost(event))])))
      }
      return give(missed, to: session)
    }
  }

  static let messagingIsAway = Status(
    .unavailable, "The messaging service does not answer; try again.")
}
