import MeetingModel
import RTP

/// Packets of publishers that arrived before the decision that admits them.
///
/// A decision reaches the publisher and `media` on different paths. So the first packets of a
/// source, of a new layer or of a new codec may arrive before the decision that admits them. These
/// packets wait here in the order of their arrival. This type limits the number of packets of each
/// session, the number of packets of each meeting, and how long packets wait.
struct EarlyVideo: Sendable {
  /// A waiting packet.
  struct Packet: Sendable {
    let session: SessionSlot
    let packet: RTPPacket
    let codec: VideoCodec
    let bytes: [UInt8]
    let arrival: MonotonicTime

    /// The reason to refuse the packet if no decision admits it in time.
    let refusal: VideoRefusal
  }

  /// The limits on waiting packets.
  struct Rules: Hashable, Sendable {
    /// The maximum number of packets of one session. A key frame has fewer packets.
    var packetsOfSession = 128

    /// The maximum number of packets of all sessions of a meeting.
    var packets = 1_024

    /// The maximum wait of a packet.
    var time: Duration = .seconds(1)
  }

  private let rules: Rules

  /// The packets in the order of their arrival.
  private var packets: [Packet] = []

  /// The number of packets of each session.
  private var counts: [SessionSlot: Int] = [:]

  init(_ rules: Rules) { self.rules = rules }

  var isEmpty: Bool { packets.isEmpty }

  /// Returns whether one more packet of a session may wait.
  func hasRoom(for session: SessionSlot) -> Bool {
    packets.count < rules.packets && counts[session, default: 0] < rules.packetsOfSession
  }

  /// Adds a packet. The caller first checks ``hasRoom(for:)``.
  mutating func hold(_ packet: Packet) {
    packets.append(packet)
    counts[packet.session, default: 0] += 1
  }

  /// Removes and returns the packets that `isAdmitted` now admits, in order.
  mutating func take(where isAdmitted: (Packet) -> Bool) -> [Packet] {
    removeAll(where: isAdmitted)
  }

  /// Removes and returns the packets that have waited for too long.
  mutating func takeExpired(at now: MonotonicTime) -> [Packet] {
    let time = rules.time
    guard let oldest = packets.first, now - oldest.arrival >= time else { return [] }
    return removeAll { now - $0.arrival >= time }
  }

  /// Drops the waiting packets of a session, or of all sessions if `session` is `nil`.
  ///
  /// - Returns: The number of dropped packets.
  mutating func drop(from session: SessionSlot? = nil) -> Int {
    guard !packets.isEmpty else { return 0 }
    return removeAll { session == nil || $0.session == session }.count
  }

  private mutating func removeAll(where isOver: (Packet) -> Bool) -> [Packet] {
    var kept: [Packet] = []
    var removed: [Packet] = []
    for packet in packets {
      if isOver(packet) { removed.append(packet) } else { kept.append(packet) }
    }
    packets = kept
    counts = kept.reduce(into: [:]) { $0[$1.session, default: 0] += 1 }
    return removed
  }
}
