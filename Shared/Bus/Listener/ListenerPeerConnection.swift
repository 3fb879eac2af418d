internal import CSocket
internal import Glibc
internal import ZMTP

/// One peer of a ``ClientListener``, with its descriptor, its unfinished input and its unsent
/// output.
///
/// All calls run on the listener's thread.
public final class ListenerPeerConnection {
  /// The number of the connection. The listener never assigns this number to another connection.
  let number: UInt64
  let descriptor: Int32

  /// The peer's address; `nil` for a peer on this machine.
  let host: [UInt8]?

  var zmtp: ZMTPConnection
  var outgoing = OutgoingQueue()

  /// The output that this side has sealed for the peer and not sent yet.
  private var sealed = CurveSealedOutput()

  /// Whether the connection has something to send in this turn of the loop.
  var isDirty = false

  /// Whether the system accepts no output at present. The system reports when the descriptor is
  /// writable again.
  var isBlocked = false

  /// Whether the listener reads nothing from this connection, because the peer has left too many
  /// answers unread.
  var isPaused = false

  /// The bytes that the listener had read but not parsed when ``isPaused`` began.
  var unread: [UInt8] = []

  /// The cause of the connection's end; `nil` while the connection is open. After the end, the
  /// listener reads and sends nothing.
  var ending: ConnectionEvent?

  /// Whether the server has served the latest request, or the connection is exempt from the idle
  /// limit.
  var isUseful = false

  /// Whether the connection is exempt from the idle limit.
  var isExempt = false

  /// The time of the last use; the time of connecting if the peer has not used the connection yet.
  var lastUse: ContinuousClock.Instant

  /// The time at which the unfinished message began.
  var messageBegan: ContinuousClock.Instant?

  /// The number of consecutive refused requests.
  var refusals = 0

  /// The number of the peer's commands at the last sweep.
  var commandsCounted = 0

  /// The value of ``kept`` at the last count, in bytes.
  var keptCounted = 0

  init(
    _ number: UInt64, _ descriptor: Int32, from host: [UInt8]?, security: ZMTPSecurity,
    limits: ZMTPLimits, now: ContinuousClock.Instant
  ) {
    (self.number, self.descriptor, self.host) = (number, descriptor, host)
    zmtp = ZMTPConnection(.router, security: security, limits: limits)
    lastUse = now
  }

  /// The route to this connection for request servers.
  public var route: RoutingID { RoutingID(number: number) }

  /// The queued bytes that the system has not accepted.
  public var unsent: Int { outgoing.count + sealed.count }

  /// The number of sent bytes that the peer has not read: bytes queued here, and bytes in the
  /// system.
  ///
  /// For a Unix socket, the number includes the system's overhead. Reading this property makes a
  /// system call.
  public var untaken: Int { outgoing.count + max(0, Int(csocket_held(descriptor))) }

  /// Whether the system accepts no more output, so that the connection queues messages.
  public var isBehind: Bool { isBlocked }

  /// The number of bytes of memory that only this connection uses.
  var kept: Int { zmtp.buffered + unread.count + outgoing.ownCount + sealed.count }

  /// Keeps received bytes, to parse them later.
  func keep(_ bytes: Span<UInt8>) {
    if !bytes.isEmpty { unread = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
  }

  /// Frees the memory that only this connection uses, after the connection has ended.
  func forgetKept(limits: ZMTPLimits) {
    zmtp = ZMTPConnection(.router, limits: limits)
    unread = []
    outgoing.removeAll()
    sealed = CurveSealedOutput()
  }

  /// The events for which the listener waits on the connection.
  var interest: Epoll.Interest {
    var interest: Epoll.Interest = isPaused ? [] : .read
    if isBlocked { interest.insert(.write) }
    return interest
  }

  /// The result of reading.
  enum Incoming {
    case bytes(Int)
    case nothing
    case end
  }

  /// The maximum number of bytes that the listener reads per turn from a peer that is new, or whose
  /// requests the server refuses.
  ///
  /// The smallest frames have two bytes. The answer to each frame delays other peers.
  private static let mostOfStranger = 64

  /// Reads available bytes once.
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

  /// Records the time at which the unfinished message began. The listener calls this method after
  /// each read.
  ///
  /// - Parameter frames: The number of frames that the read completed.
  func note(frames: Int, at now: ContinuousClock.Instant) {
    if zmtp.buffered == 0 {
      messageBegan = nil
    } else if frames > 0 || messageBegan == nil {
      messageBegan = now
    }
  }

  /// Subtracts the time of a stall of the listener from the time for which the peer was silent.
  func excuse(_ stall: Duration, at now: ContinuousClock.Instant) {
    guard stall > .zero else { return }
    lastUse = min(lastUse + stall, now)
    messageBegan = messageBegan.map { min($0 + stall, now) }
    commandsCounted = zmtp.commands
  }

  /// The result of writing.
  enum Written { case all, blocked, broken }

  /// Sends as much of the queued output as the system accepts.
  ///
  /// - Parameter room: A buffer in which this method joins small messages, so that one system call
  ///   sends these messages.
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

  /// Passes bytes to the system.
  ///
  /// - Returns: The number of bytes that the system accepted; `nil` if the system accepted no
  ///   bytes. `isBroken` then reports whether the connection is broken.
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

  /// The maximum number of bytes that the connection joins for one system call.
  static let gathered = 65_536

  // MARK: Under CURVE

  /// Queues the protocol's own output.
  ///
  /// Under CURVE, the protocol object keeps its own output, because the connection must send sealed
  /// bytes in the order of sealing. The queue stores messages unsealed, by reference.
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

  /// Seals the next output after the connection has sent all sealed bytes.
  ///
  /// - Returns: Whether some sealed bytes wait for sending.
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
