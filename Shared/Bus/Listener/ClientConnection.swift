internal import CSocket
internal import Glibc
internal import ZMTP

/// One peer of a ``ClientListener``: its descriptor, what it has begun to say and what it has not
/// read. Lives on the listener's thread.
public final class ClientConnection {
  /// Names the connection in its listener; never given again.
  let number: UInt64
  let descriptor: Int32

  /// Where it comes from, if that is another machine.
  let host: [UInt8]?

  var zmtp: ZMTPConnection
  var outgoing = OutgoingQueue()

  /// What was sealed for the peer and has not left.
  private var sealed = SealedOutput()

  /// It has something to send in this turn of the loop.
  var isDirty = false

  /// It takes no more at the moment; the system says when it does.
  var isBlocked = false

  /// Nothing is read from it until it has read what it was sent.
  var isPaused = false

  /// What was read and not looked at when ``isPaused`` began.
  var unread: [UInt8] = []

  /// Nothing more is read from it or sent to it.
  var ending: ConnectionEvent?

  /// What it sent last was of use.
  var isUseful = false

  /// It may be of no use for as long as it likes.
  var isExempt = false

  /// When it came or was of use last.
  var lastUse: ContinuousClock.Instant

  /// When it began the message that is not all there.
  var messageBegan: ContinuousClock.Instant?

  /// What was refused to it since it was of use last.
  var refusals = 0

  /// Its commands when they were counted last.
  var commandsCounted = 0

  /// What is kept for it alone, when that was counted last, in bytes.
  var keptCounted = 0

  init(
    _ number: UInt64, _ descriptor: Int32, from host: [UInt8]?, security: ZMTPSecurity,
    limits: ZMTPLimits, now: ContinuousClock.Instant
  ) {
    (self.number, self.descriptor, self.host) = (number, descriptor, host)
    zmtp = ZMTPConnection(.router, security: security, limits: limits)
    lastUse = now
  }

  /// What the connection is called where requests are answered.
  public var route: Route { Route(number: number) }

  /// Bytes that were handed over for it and that the system has not taken.
  public var unsent: Int { outgoing.count + sealed.count }

  /// What was sent and the peer has not taken, in bytes: what waits here, and what the system
  /// holds; with what it needs to hold it, for a Unix socket. A system call.
  public var untaken: Int { outgoing.count + max(0, Int(csocket_held(descriptor))) }

  /// It takes no more at the moment: what it is sent waits here.
  public var isBehind: Bool { isBlocked }

  /// What is kept for it alone.
  var kept: Int { zmtp.buffered + unread.count + outgoing.ownCount + sealed.count }

  /// Keeps what was read for later.
  func keep(_ bytes: Span<UInt8>) {
    if !bytes.isEmpty { unread = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
  }

  /// Lets go of all that is kept for it alone, once it has ended.
  func forgetKept(limits: ZMTPLimits) {
    zmtp = ZMTPConnection(.router, limits: limits)
    unread = []
    outgoing.removeAll()
    sealed = SealedOutput()
  }

  /// What to wait for.
  var interest: Epoll.Interest {
    var interest: Epoll.Interest = isPaused ? [] : .read
    if isBlocked { interest.insert(.write) }
    return interest
  }

  /// What came of reading.
  enum Incoming {
    case bytes(Int)
    case nothing
    case end
  }

  /// Of somebody who was of no use yet, or whose requests are refused, so much is read in a turn of
  /// the loop: the smallest frames have two bytes, and each costs an answer for which others wait.
  private static let mostOfStranger = 64

  /// Reads once what has come.
  func read(into room: inout [UInt8]) -> Incoming {
    let most = isUseful ? room.count : Self.mostOfStranger
    while true {
      let count = unsafe recv(descriptor, &room, most, 0)
      if count > 0 { return .bytes(count) }
      guard count < 0 else { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .end
      }
    }
  }

  /// So many frames came in one go: notes since when a message has been under way.
  func note(frames: Int, at now: ContinuousClock.Instant) {
    if zmtp.buffered == 0 {
      messageBegan = nil
    } else if frames > 0 || messageBegan == nil {
      messageBegan = now
    }
  }

  /// The listener stood still: that time is not counted as the peer's.
  func excuse(_ stall: Duration, at now: ContinuousClock.Instant) {
    guard stall > .zero else { return }
    lastUse = min(lastUse + stall, now)
    messageBegan = messageBegan.map { min($0 + stall, now) }
    commandsCounted = zmtp.commands
  }

  /// What came of writing.
  enum Written { case all, blocked, broken }

  /// Sends what waits, as much as the system takes.
  ///
  /// - Parameter room: Where small messages are put together, so that they leave in one call.
  func write(through room: inout [UInt8]) -> Written {
    guard zmtp.sharesFrames else { return writeSealed() }
    while !outgoing.isEmpty {
      var isBroken = false
      let sent = unsafe outgoing.send(through: &room, upTo: Self.gathered) { bytes in
        unsafe send(bytes, isBroken: &isBroken)
      }
      if sent == nil { return isBroken ? .broken : .blocked }
    }
    return .all
  }

  /// Hands bytes to the system.
  ///
  /// - Returns: How many it took; `nil` for none, and then whether the connection is broken.
  private func send(_ bytes: UnsafeRawBufferPointer, isBroken: inout Bool) -> Int? {
    while true {
      let count = unsafe Glibc.send(
        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return count }
      if errno == EINTR { continue }
      isBroken = errno != EAGAIN
      return nil
    }
  }

  /// Bytes that are put together at most.
  static let gathered = 65_536

  // MARK: Under CURVE

  /// Queues what the protocol itself has to say. Under CURVE it waits in the protocol: what is
  /// sealed leaves in the order in which it was sealed, and messages wait unsealed, by reference.
  func queueOutput() {
    guard zmtp.sharesFrames else { return }
    let output = zmtp.takeOutput()
    outgoing.appendOwn { $0 += output }
  }

  private func writeSealed() -> Written {
    while seal() {
      var isBroken = false
      let sent = unsafe sealed.send { unsafe send($0, isBroken: &isBroken) }
      if sent == nil { return isBroken ? .broken : .blocked }
    }
    return .all
  }

  /// Seals what leaves next, once all that was sealed has left.
  ///
  /// - Returns: Whether there is anything.
  private func seal() -> Bool {
    guard sealed.isEmpty else { return true }
    sealed.refill { bytes in
      bytes += zmtp.takeOutput()
      guard zmtp.peer != nil else { return }
      while !outgoing.isEmpty, bytes.count < Self.gathered {
        outgoing.take { zmtp.append(frames: $0, upTo: Self.gathered, to: &bytes) }
      }
    }
    return !sealed.isEmpty
  }
}
