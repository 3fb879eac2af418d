import MeetingModel
import RTP
import ServiceHost

// Sends browsers the estimates (REMB) that limit their video: the estimate of the browser's own
// link and, in a meeting of two attendees, the estimate of the other attendee's link.
extension MeetingMedia {
  /// In a meeting of two attendees, sends each browser the estimate of the other attendee's link
  /// (REMB), if the other attendee receives the browser's camera.
  ///
  /// The browser's encoder then adapts to the link of the other attendee. In a larger meeting, the
  /// links of the receivers differ, and `video-tiles` chooses a layer for each receiver.
  ///
  /// In a meeting of any size, also sends each browser the estimate of the browser's own link, if
  /// the browser sends video without transport-wide numbers. If there are two estimates, sends the
  /// lower one.
  func relayEstimates(at now: MonotonicTime) {
    if let relayedAt, now - relayedAt < Self.relayInterval { return }
    relayedAt = now
    let pair = pair
    for session in sessions {
      let other = pair.flatMap { $0.first === session ? $0.second : $0.first }
      guard let link = session.link, link.takesEstimates else { continue }
      let uplink = link.uplinkEstimate
      guard other != nil || uplink != nil || session.relay.isActive else { continue }
      let estimate = other.flatMap { self.estimate(of: $0, receivingFrom: session) }
      guard let bits = session.relay.take(estimate, uplink: uplink, at: now) else { continue }
      sendEstimate(bits, to: session, over: link, at: now)
    }
  }

  private static let relayInterval: Duration = .milliseconds(100)

  /// The two sessions of a meeting that has exactly two attendees, no content share and no
  /// audience; `nil` for other meetings.
  private var pair: (first: MediaServerSession, second: MediaServerSession)? {
    var (first, second): (MediaServerSession?, MediaServerSession?)
    for session in sessions {
      guard second == nil, !session.participant.isContent, !session.rights.isReplica else {
        return nil
      }
      if first == nil { first = session } else { second = session }
    }
    guard let first, let second else { return nil }
    return (first, second)
  }

  /// Returns the estimate of a receiver's link, in bit/s; `nil` if the receiver does not want the
  /// publisher's video.
  ///
  /// A receiver also wants video that pauses because the receiver's link is too slow.
  private func estimate(
    of receiver: MediaServerSession, receivingFrom publisher: MediaServerSession
  ) -> Int? {
    guard receiver.isConnected, video.wants(receiver.key, from: publisher.key) else { return nil }
    return receiver.estimate?.bitsPerSecond
  }

  private func sendEstimate(
    _ bits: Int, to session: MediaServerSession, over link: any PacketLink, at now: MonotonicTime
  ) {
    guard let (track, source) = video.publishedSource(of: session.key, at: now) else { return }
    control.clear()
    control.addEstimate(sender: track, source: source, bitsPerSecond: UInt64(max(0, bits)))
    link.send(control.bytes.span)
    metrics.sent[.rtcp].increment()
  }
}
