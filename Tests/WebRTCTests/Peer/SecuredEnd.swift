import SRTP
import TestSupport

@testable import WebRTC

/// The SRTP of one end of a connection, with a record of the packets that arrived.
final class SecuredEnd {
  private var sender: SRTPSender
  private var receiver: SRTPReceiver
  private let ssrc: UInt32
  private var sequence: UInt16

  /// The packets that this end sent, by their protected bytes.
  private(set) var sent: [[UInt8]: [UInt8]] = [:]

  /// The number of arrivals of each datagram.
  private(set) var arrived: [[UInt8]: Int] = [:]

  /// The packets that this end accepted from each datagram.
  private(set) var accepted: [[UInt8]: [[UInt8]]] = [:]

  init(_ association: DTLSAssociation, using random: inout SeededGenerator) {
    sender = SRTPSender(association.sendKey)
    receiver = SRTPReceiver(association.receiveKey)
    ssrc = .random(in: 1...UInt32.max, using: &random)
    // SRTPSender explains why the first number is below 2^15.
    sequence = .random(in: 0..<0x8000, using: &random)
  }

  /// Returns the next packet, protected: RTP, or RTCP for every tenth packet.
  func next(using random: inout SeededGenerator) -> [UInt8] {
    let isRTCP = sent.count % 10 == 9
    let packet = isRTCP ? report() : sound(using: &random)
    let datagram = isRTCP ? protectRTCP(packet) : protectRTP(packet)
    sent[datagram] = packet
    return datagram
  }

  /// Records the arrival of a datagram.
  func note(_ datagram: [UInt8]) { arrived[datagram, default: 0] += 1 }

  /// Authenticates and decrypts a datagram.
  ///
  /// - Returns: Whether the datagram contained an authentic packet.
  func open(_ datagram: [UInt8]) -> Bool {
    var room = datagram
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let result =
      Self.isRTCP(datagram)
      ? receiver.openRTCP(&bytes, count: datagram.count)
      : receiver.openRTP(&bytes, count: datagram.count)
    guard let count = try? result.get() else { return false }
    accepted[datagram, default: []].append(Array(room.prefix(count)))
    return true
  }

  private func sound(using random: inout SeededGenerator) -> [UInt8] {
    sequence &+= 1
    let size = Int.random(in: 1...1_280, using: &random)
    return [0x80, 111] + bytes(UInt32(sequence), 2) + bytes(UInt32(sequence) &* 960, 4)
      + bytes(ssrc, 4) + [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
  }

  private func report() -> [UInt8] { [0x80, 201, 0, 1] + bytes(ssrc, 4) }

  private func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func isRTCP(_ packet: [UInt8]) -> Bool { (192..<224).contains(packet[1]) }

  private func protectRTP(_ packet: [UInt8]) -> [UInt8] {
    var room = packet + [UInt8](repeating: 0, count: sender.rtpOverhead)
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let count = try? sender.protectRTP(&bytes, count: packet.count).get()
    return Array(room.prefix(count ?? 0))
  }

  private func protectRTCP(_ packet: [UInt8]) -> [UInt8] {
    var room = packet + [UInt8](repeating: 0, count: sender.rtcpOverhead)
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let count = try? sender.protectRTCP(&bytes, count: packet.count).get()
    return Array(room.prefix(count ?? 0))
  }
}
