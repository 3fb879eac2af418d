public import Wire

/// A reader of one meeting's stream. The reader yields every event once and in order, despite
/// losses.
///
/// The follower detects missing events by a gap, another epoch, or a beacon with a later position.
/// The follower requests the missing events, and keeps the events that arrive in the meantime. All
/// calls run on one thread. The follower owns no socket.
public final class StreamFollower {
  /// Called to request, from the owner, the events after a position.
  ///
  /// Answer with ``caughtUp(with:)``, ``reset(epoch:sequence:tick:)`` or ``catchUpFailed()``. After
  /// a failure, the follower repeats the request at the next beacon or gap.
  public var onCatchUp: ((_ epoch: UInt64, _ after: UInt64) -> Void)?

  /// Receives each numbered event once and in order. Receives a volatile event only if the event is
  /// newer than the last received volatile event.
  public var onEvent: ((V1.EventHeader, [UInt8]) -> Void)?

  /// The follower's position in the stream; `nil` before the first ``reset(epoch:sequence:tick:)``.
  public private(set) var cursor: StreamCursor?

  private var isCatchingUp = false
  private var held: [(header: V1.EventHeader, body: [UInt8])] = []
  private var lastTick: UInt64 = 0

  /// The maximum number of events that the follower keeps during a catch-up. The follower drops
  /// further events, and requests the dropped events in the next catch-up.
  private static let mostHeld = 4096

  /// Makes a follower that keeps events until its first ``reset(epoch:sequence:tick:)``.
  public init() {}

  /// Starts or restarts the follower at the position of a snapshot.
  ///
  /// - Parameter tick: The number of the last volatile event that the snapshot contains.
  public func reset(epoch: UInt64, sequence: UInt64, tick: UInt64 = 0) {
    if cursor?.epoch != epoch { lastTick = 0 }
    lastTick = max(lastTick, tick)
    cursor = StreamCursor(epoch: epoch, sequence: sequence)
    isCatchingUp = false
    takeHeld()
  }

  /// Processes an event from the subscription.
  public func arrive(_ header: V1.EventHeader, _ body: [UInt8]) {
    guard header.sequence > 0 else { return arriveVolatile(header, body) }
    guard !isCatchingUp, var cursor else { return hold(header, body) }
    switch cursor.arrive(epoch: header.epoch, sequence: header.sequence) {
    case .take:
      self.cursor = cursor
      onEvent?(header, body)
    case .skip:
      break
    case .catchUp:
      hold(header, body)
      catchUp()
    }
  }

  /// Processes a beacon with the owner's position.
  public func observe(_ position: V1.MeetingPosition) {
    guard let cursor, !isCatchingUp,
      cursor.isBehind(epoch: position.epoch, lastSequence: position.lastSequence)
    else { return }
    catchUp()
  }

  /// Requests the events after the cursor, even without a known gap, for example after missed
  /// beacons.
  public func catchUp() {
    guard let cursor, !isCatchingUp else { return }
    isCatchingUp = true
    onCatchUp?(cursor.epoch, cursor.sequence)
  }

  /// Processes the missing events from the owner.
  public func caughtUp(with events: [V1.PackedEvent]) {
    guard isCatchingUp else { return }
    isCatchingUp = false
    for event in events {
      if let header = event.header { arrive(header, event.body) }
    }
    takeHeld()
  }

  /// Ends a failed catch-up. The next beacon or gap starts a new catch-up.
  public func catchUpFailed() { isCatchingUp = false }

  private func arriveVolatile(_ header: V1.EventHeader, _ body: [UInt8]) {
    guard let cursor, header.epoch == cursor.epoch, header.tick > lastTick else { return }
    lastTick = header.tick
    onEvent?(header, body)
  }

  private func hold(_ header: V1.EventHeader, _ body: [UInt8]) {
    if held.count < Self.mostHeld { held.append((header, body)) }
  }

  private func takeHeld() {
    let waiting = held
    held = []
    for event in waiting where event.header.epoch == cursor?.epoch {
      arrive(event.header, event.body)
    }
  }
}
