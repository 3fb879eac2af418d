internal import CarillonClientCore
internal import RTP

/// The congestion control: feedback about received packets, and rates for sent video.
extension ClientMediaSession {
  /// The usual number of ticks between two feedback packets.
  private static let feedbackTicks = 2

  /// The number of ticks between two feedback packets while fewer than ``fewPackets`` packets wait
  /// for feedback, for example because only audio arrives.
  private static let soundTicks = 5
  private static let fewPackets = 4

  /// Sends feedback about the arrival of packets to `media`.
  ///
  /// A session without remote video sends no feedback, because audio needs no estimate.
  func tickFeedback() {
    ticksSinceFeedback += 1
    guard let connection, connection.isBound, let format = place?.format else { return }
    let pause = arrivals.freshPackets < Self.fewPackets ? Self.soundTicks : Self.feedbackTicks
    guard ticksSinceFeedback >= pause, arrivals.freshPackets > 0 else { return }
    ticksSinceFeedback = 0
    reports.clear()
    arrivals.takeFeedback(
      sender: format.audioSent, at: now, within: format.maxPacketBytes, into: &reports)
    connection.send(reports.bytes.span)
  }

  /// Sends the waiting packets, and limits the encoders to the rate of the uplink.
  func tickUplink() {
    guard let connection, connection.isBound, let encoding else { return }
    let now = now
    uplink.sendWaiting(at: now) { connection.send($0) }
    let layers = encoding.publication.layers.map(\.bitsPerSecond)
    let padding = uplink.advance(to: now, wanted: isFilming ? layers.reduce(0, +) : 0)
    if padding > 0 { pad(padding, at: now) }
    encoding.setCongested(uplink.isCongested)
    encoding.setRates(
      allocation.allocate(layers, within: uplink.budget, at: now.microseconds))
  }

  /// Whether the session sent a frame within the last second. A session that sends no frames need
  /// not probe the uplink.
  private var isFilming: Bool {
    lastFrameSent.map { now - $0 < .seconds(1) } ?? false
  }

  private func pad(_ bytes: Int, at now: MonotonicTime) {
    guard let connection, !streams.isEmpty else { return }
    let ssrc = streams[0].ssrc
    var left = bytes
    while left > 0 {
      left -= streams[0].pad { packet, sequence in
        uplink.send(packet, ssrc, sequence, at: now) { connection.send($0) }
      }
    }
  }

  func takeFeedback(_ feedback: CongestionFeedback, _ bytes: Span<UInt8>) {
    guard let connection else { return }
    uplink.receive(feedback, in: bytes, at: now)
    uplink.sendWaiting(at: now) { connection.send($0) }
  }
}
