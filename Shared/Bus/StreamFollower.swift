public import Wire

/// Follows one meeting's stream: every event once and in order, whatever is lost on the way.
///
/// On a gap, another epoch or a beacon that is ahead it asks for what is missing, keeps what
/// arrives meanwhile, and goes on. Lives on one thread; it owns no socket.
public final class StreamFollower {
  /// What to ask the owner for: the events after a position. Answer with ``caughtUp(with:)`` or
  /// ``reset(epoch:sequence:)``, or ``catchUpFailed()`` to have it asked again.
  public var onCatchUp: ((_ epoch: UInt64, _ after: UInt64) -> Void)?

  /// Takes each numbered event once, in order, and each volatile one that is not outdated.
  public var onEvent: ((V1.EventHeader, [UInt8]) -> Void)?

  /// How far the stream was taken; `nil` before the first ``reset(epoch:sequence:)``.
  public private(set) var cursor: StreamCursor?

  private var isCatchingUp = false
  private var held: [(header: V1.EventHeader, body: [UInt8])] = []
  private var lastTick: UInt64 = 0

  /// Events that are kept while a catch-up runs; past it they are left to another catch-up.
  private static let mostHeld = 4096

  /// Makes a follower that waits for its first ``reset(epoch:sequence:tick:)``.
  public init() {}

  /// Starts, or starts anew, behind a snapshot.
  ///
  /// - Parameter tick: The last volatile event that the snapshot contains.
  public func reset(epoch: UInt64, sequence: UInt64, tick: UInt64 = 0) {
    if cursor?.epoch != epoch { lastTick = 0 }
    lastTick = max(lastTick, tick)
    cursor = StreamCursor(epoch: epoch, sequence: sequence)
    isCatchingUp = false
    takeHeld()
  }

  /// An event arrived from the subscription.
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

  /// A beacon said how far the owner has come.
  public func observe(_ position: V1.MeetingPosition) {
    guard let cursor, !isCatchingUp,
      cursor.isBehind(epoch: position.epoch, lastSequence: position.lastSequence)
    else { return }
    catchUp()
  }

  /// Asks the owner, whether or not something is known to be missing: after missed beacons.
  public func catchUp() {
    guard let cursor, !isCatchingUp else { return }
    isCatchingUp = true
    onCatchUp?(cursor.epoch, cursor.sequence)
  }

  /// The owner sent the events that were missing.
  public func caughtUp(with events: [V1.PackedEvent]) {
    guard isCatchingUp else { return }
    isCatchingUp = false
    for event in events {
      if let header = event.header { arrive(header, event.body) }
    }
    takeHeld()
  }

  /// The owner could not be asked; the next beacon or event asks again.
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
