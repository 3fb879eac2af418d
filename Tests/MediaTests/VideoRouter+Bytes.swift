import MeetingModel
import RTP

@testable import Media

/// Methods with which tests call a router directly, without a meeting.
extension VideoRouter {
  /// Returns the link of a receiver; `nil` before the first decision for the receiver.
  func link(of receiver: SessionSlot) -> ReceiverLink? {
    receivers.indices.contains(receiver.index) ? links[receiver.index] : nil
  }

  /// Applies decisions for a receiver, over the receiver's own link.
  mutating func decide(
    _ decisions: [ForwardingDecision], for receiver: SessionSlot, at now: MonotonicTime, send: Send
  ) {
    let link = link(of: receiver) ?? ReceiverLink(rules, at: now)
    decide(decisions, for: receiver, over: link, at: now, send: send)
  }

  func measure(backlog bytes: Int, of receiver: SessionSlot, at now: MonotonicTime) {
    link(of: receiver)?.measure(backlog: bytes, at: now)
  }

  /// Parses and processes the bytes of RTP or RTCP.
  @discardableResult
  mutating func receive(
    _ bytes: Span<UInt8>, from session: SessionSlot, at now: MonotonicTime, send: Send
  ) -> VideoRefusal? {
    guard !RTPPacket.isRTCP(bytes) else {
      return receiveControl(bytes, from: session, at: now, send: send)
    }
    guard let packet = RTPPacket(bytes) else { return .malformed }
    var codec: VideoCodec?
    if case .video(let known) = LinkRTPParameters.carillon.format(of: packet.payloadType) {
      codec = known
    }
    return receive(packet, codec, in: bytes, from: session, at: now, send: send)
  }

  private mutating func receiveControl(
    _ bytes: Span<UInt8>, from session: SessionSlot, at now: MonotonicTime, send: Send
  ) -> VideoRefusal? {
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes) {
      if case .estimate(let bits, _) = packet { link(of: session)?.limit(to: bits) }
      if case .congestionFeedback(let feedback) = packet {
        link(of: session)?.receive(
          feedback, in: bytes, isBacklogged: isBacklogged(session), at: now)
        sendWaiting(to: session, at: now, send: send)
      }
      receive(packet, in: bytes, from: session, at: now, send: send)
    }
    return reader.isMalformed ? .malformed : nil
  }
}
