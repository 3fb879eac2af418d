internal import DequeModule
public import MeetingModel
public import Wire

/// The numbered events of one meeting, published by the meeting's owner.
///
/// Sequence numbers start at 1 in each epoch and have no gaps. The stream keeps the newest events
/// for replay. All calls run on the thread of its ``EventPublisher``.
public final class MeetingEventStream {
  /// The meeting.
  public let meeting: MeetingID

  /// The epoch, unique among the meeting's numberings.
  public let epoch: UInt64

  /// The sequence number of the newest event; 0 before the first event.
  public private(set) var lastSequence: UInt64

  /// The number of the last volatile event.
  public private(set) var lastTick: UInt64 = 0

  /// Whether no live gateway has had a participant of the meeting since the last event.
  ///
  /// The owner sets this property after each event. The publisher then reports the meeting to all
  /// gateways immediately, because there may be no gateway that follows the meeting.
  public var isUnattended = false {
    didSet { if isUnattended { publisher.showUnattended(meeting) } }
  }

  /// The time at which the stream published its last numbered event.
  private(set) var lastChange: ContinuousClock.Instant

  private let name: String
  private let topic: EventTopic
  private let publisher: EventPublisher
  private let keeping: Int
  private var kept: Deque<V1.PackedEvent> = []

  init(
    of meeting: MeetingID, name: String, topic: EventTopic, epoch: UInt64, after sequence: UInt64,
    keeping: Int, by publisher: EventPublisher, now: ContinuousClock.Instant
  ) {
    self.meeting = meeting
    self.name = name
    self.topic = topic
    self.epoch = epoch
    lastSequence = sequence
    self.keeping = keeping
    self.publisher = publisher
    lastChange = now
  }

  /// Publishes the next event. Packs the event only once for all its receivers.
  ///
  /// - Parameters:
  ///   - event: The event for clients; `nil` for an event that only concerns gateways.
  ///   - onlyFor: The participants that may see the event; empty for everybody.
  ///   - exceptFor: The participants that must not see the event.
  ///   - ended: Sessions that end after the delivery of this event.
  ///   - lost: Sessions that this event drops without a request from their clients.
  ///   - meetingEnded: The status of every session when this is the meeting's last event.
  /// - Returns: The event's sequence.
  @discardableResult
  public func publish(
    _ event: V1.SessionEvent?, onlyFor: IDTexts = IDTexts(), exceptFor: IDTexts = IDTexts(),
    ended: [V1.EndedSession] = [], lost: [SessionID] = [], meetingEnded: Status? = nil
  ) -> UInt64 {
    lastSequence += 1
    lastChange = publisher.now
    let position = V1.StreamPosition(stream: name, epoch: epoch, sequence: lastSequence)
    var header = V1.EventHeader(
      epoch: epoch, sequence: lastSequence, ended: ended,
      meetingEnded: meetingEnded.map { V1.Status($0) },
      term: publisher.term, lostSessions: lost.map(\.bytes))
    header.meetingIDInPlace = IDText(meeting)
    (header.onlyForInPlace, header.exceptForInPlace) = (onlyFor, exceptFor)
    if keeping == 0 {
      publisher.publish(on: topic, ArenaWireFrame(header: header, event: event, at: position))
    } else {
      let body = V1.SessionEvents(events: event.map { [$0] } ?? [], positions: [position])
      let packed = body.packed()
      keep(V1.PackedEvent(header: header, body: packed))
      publisher.publish(on: topic, ArenaWireFrame(header: header, packedBody: packed))
    }
    return lastSequence
  }

  /// Publishes a volatile event. The next volatile event may replace this event. The stream does
  /// not keep this event for replay.
  ///
  /// - Parameters:
  ///   - onlyFor: The participants that may see the event; empty for everybody.
  ///   - event: Makes the event. Receives the number of the event (the tick).
  public func publishVolatile(
    onlyFor: IDTexts = IDTexts(), _ event: (_ tick: UInt64) -> V1.SessionEvent
  ) {
    lastTick += 1
    var header = V1.EventHeader(epoch: epoch, tick: lastTick, term: publisher.term)
    header.meetingIDInPlace = IDText(meeting)
    header.onlyForInPlace = onlyFor
    publisher.publish(on: topic, ArenaWireFrame(header: header, event: event(lastTick)))
  }

  /// Returns the events after a position, oldest first. The result is empty if there are no such
  /// events.
  ///
  /// - Returns: The events. `nil` when the position belongs to another epoch or when the stream has
  ///   dropped some of the requested events. The caller then needs a snapshot.
  public func replay(epoch: UInt64, after sequence: UInt64) -> [V1.PackedEvent]? {
    guard epoch == self.epoch, sequence <= lastSequence else { return nil }
    let missing = Int(lastSequence - sequence)
    guard missing <= kept.count else { return nil }
    return Array(kept.suffix(missing))
  }

  var position: V1.MeetingPosition {
    V1.MeetingPosition(
      meetingID: meeting.text, epoch: epoch, lastSequence: lastSequence,
      isUnattended: isUnattended)
  }

  private func keep(_ event: V1.PackedEvent) {
    if kept.count == keeping { kept.removeFirst() }
    kept.append(event)
  }
}
