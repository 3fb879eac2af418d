import RTP

@testable import Media

/// A link that keeps the packets sent to it, so that the test can deliver these packets.
final class MemoryLink: PacketLink {
  private(set) var isOpen = true
  var backlog = PacketBacklog()
  var droppedPackets: UInt64 = 0
  var acknowledgement: FeedbackFormat? = .congestionFeedback
  var isContinuous = false
  var repeatsSound = false
  var takesEstimates = false
  var uplinkEstimate: Int?
  let numbers: LinkRTPParameters

  /// The tracks that the client has agreed to receive; `nil` for all.
  var agreed: Set<UInt32>?
  private var sent: [[UInt8]] = []

  init(_ numbers: LinkRTPParameters = .carillon) { self.numbers = numbers }

  func carries(track ssrc: UInt32) -> Bool { agreed?.contains(ssrc) ?? true }

  func send(_ packet: Span<UInt8>) {
    guard isOpen else { return }
    var copy: [UInt8] = []
    copy.append(copying: packet)
    sent.append(copy)
  }

  func close() { isOpen = false }

  /// Returns the packets that `media` sent since the last call, in order.
  func takeSent() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }
}
