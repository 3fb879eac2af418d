public import Glibc
import SRTP
import WebRTC

/// Fuzzes datagrams of an attacker in each state of a DTLS handshake.
///
/// The first byte selects the role and the number of datagrams that the attacked side and its true
/// peer exchange before the attack. The rest of the input consists of pieces. Each piece consists
/// of a command byte, a two-byte length, and as many bytes as this length states.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  guard let first = bytes.first else { return 0 }
  let attacked = AttackedHandshake(first & 1 == 0 ? .server : .client)
  attacked.exchange(Int(first >> 1) % 8)
  var offset = 1
  while offset + 3 <= bytes.count {
    let length = Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
    let end = min(offset + 3 + length, bytes.count)
    attacked.take(bytes[offset], Array(bytes[(offset + 3)..<end]))
    offset = end
  }
  attacked.end()
  return 0
}

/// Replaces the system's time for OpenSSL, so that handshakes time out immediately.
@_cdecl("gettimeofday")
public func virtualTime(_ time: UnsafeMutablePointer<timeval>?, _: UnsafeMutableRawPointer?) -> CInt
{
  unsafe time?.pointee = timeval(tv_sec: 1_767_225_600 + seconds, tv_usec: 0)
  return 0
}

/// The virtual clock, in seconds. The process has one thread.
nonisolated(unsafe) private var seconds = 0

/// A handshake under attack, and its true peer.
private final class AttackedHandshake {
  private let attacked: DTLSHandshake
  private let peer: DTLSHandshake
  private let start = ContinuousClock.now

  /// The undelivered datagrams in both directions.
  private var toAttacked: [[UInt8]] = []
  private var toPeer: [[UInt8]] = []
  private var sent = 0

  /// Whether the true peer took part in the handshake. Without the true peer, the handshake cannot
  /// complete.
  private var hasMetPeer = false
  private var outcomes: [DTLSOutcome] = []

  private static let identities: [DTLSIdentity] = (0..<2).map { _ in
    guard let identity = try? DTLSIdentity(at: 1_767_225_600) else {
      fatalError("Broken: OpenSSL makes certificates")
    }
    return identity
  }

  init(_ role: DTLSRole) {
    attacked = Self.handshake(role, 0, at: start)
    peer = Self.handshake(role.opposite, 1, at: start)
    toAttacked += peer.poll(at: start).datagrams
    look(at: attacked.poll(at: start))
  }

  private static func handshake(
    _ role: DTLSRole, _ own: Int, at now: ContinuousClock.Instant
  ) -> DTLSHandshake {
    let expected = [identities[1 - own].fingerprint]
    guard
      let handshake = try? DTLSHandshake(
        role, identity: identities[own], expecting: expected, at: now)
    else { fatalError("Broken: OpenSSL has memory for a session") }
    return handshake
  }

  private var now: ContinuousClock.Instant { start + .seconds(unsafe seconds) }

  /// Delivers this many datagrams, one after another.
  func exchange(_ count: Int) {
    for _ in 0..<count {
      hear()
      if !toAttacked.isEmpty { receiveTrue(toAttacked.removeFirst()) }
    }
  }

  private func hear() {
    guard !toPeer.isEmpty else { return }
    toAttacked += peer.receive(toPeer.removeFirst(), at: now).datagrams
  }

  private func receiveTrue(_ datagram: [UInt8]) {
    hasMetPeer = true
    look(at: attacked.receive(datagram, at: now))
  }

  /// Executes a command. The command delivers the bytes as a datagram, delivers the bytes in a
  /// record, delivers a modified datagram of the true peer, or lets time pass.
  func take(_ command: UInt8, _ bytes: [UInt8]) {
    switch command % 4 {
    case 0: look(at: attacked.receive(bytes, at: now))
    case 1: look(at: attacked.receive(record(around: bytes, command), at: now))
    case 2: takeChanged(bytes)
    default: pass(Int(command >> 4))
    }
  }

  /// Returns a record with the right length. The command determines the record's type, epoch and
  /// sequence number.
  private func record(around bytes: [UInt8], _ command: UInt8) -> [UInt8] {
    let content = bytes.prefix(16_000)
    let length = [UInt8(content.count >> 8), UInt8(content.count & 0xff)]
    return [20 + command >> 2 & 3, 0xfe, 0xfd, 0, command >> 4 & 1, 0, 0, 0, 0, 0x10, command]
      + length + content
  }

  private func takeChanged(_ mask: [UInt8]) {
    hear()
    guard !toAttacked.isEmpty else { return }
    var datagram = toAttacked.removeFirst()
    for (index, bits) in zip(datagram.indices, mask) { datagram[index] ^= bits }
    receiveTrue(datagram)
  }

  private func pass(_ count: Int) {
    unsafe seconds += count
    look(at: attacked.poll(at: now))
    toAttacked += peer.poll(at: now).datagrams
  }

  /// Checks that the handshake ends within its timeout.
  func end() {
    unsafe seconds += 31
    look(at: attacked.poll(at: now))
    FuzzInput.require(attacked.outcome != .running, "a handshake ends within its patience")
    unsafe seconds = 0
  }

  private func look(at step: DTLSStep) {
    FuzzInput.require(step.datagrams.allSatisfy { $0.count <= 1_200 }, "datagrams fit any link")
    sent += step.datagrams.map(\.count).reduce(0, +)
    FuzzInput.require(sent < 65_536, "nobody is sent much")
    if let deadline = step.deadline {
      FuzzInput.require(deadline <= start + .seconds(30), "deadlines are within the patience")
    }
    FuzzInput.require((step.deadline != nil) == (step.outcome == .running), "who runs has one")
    lookAtOutcome(step.outcome)
    toPeer += step.datagrams
  }

  private func lookAtOutcome(_ outcome: DTLSOutcome) {
    if case .done = outcome { FuzzInput.require(hasMetPeer, "only the true peer is let in") }
    guard outcome != outcomes.last else { return }
    outcomes.append(outcome)
    FuzzInput.require(outcomes.count <= 3, "an outcome is for good: \(outcomes)")
  }
}
