import MeetingModel
import RTP

/// Packets of publishers that arrived before the decision that admits them.
///
/// A publisher and media receive a decision on different paths, so the first packets of a source,
/// or of its new layers or codec, may arrive before it. They wait here in order of arrival. The
/// number of waiting packets is limited per session and per meeting, and so is the waiting time.
struct EarlyVideo: Sendable {
  /// A packet that waits.
  struct Packet: Sendable {
    let session: SessionKey
    let packet: RTPPacket
    let codec: VideoCodec
    let bytes: [UInt8]
    let arrival: MediaTime

    /// The reason for its refusal if no decision admits it in time.
    let refusal: VideoRefusal
  }

  /// The bounds.
  struct Rules: Hashable, Sendable {
    /// The most packets of one session: more than a key frame has.
    var packetsOfSession = 128

    /// The most packets of all sessions of a meeting.
    var packets = 1_024

    /// How long a packet waits.
    var time: Duration = .seconds(1)
  }

  private let rules: Rules

  /// In order of arrival.
  private var packets: [Packet] = []

  /// The number of packets of each session.
  private var counts: [SessionKey: Int] = [:]

  init(_ rules: Rules) { self.rules = rules }

  var isEmpty: Bool { packets.isEmpty }

  /// Whether one more packet of a session may wait.
  func hasRoom(for session: SessionKey) -> Bool {
    packets.count < rules.packets && counts[session, default: 0] < rules.packetsOfSession
  }

  /// Keeps a packet.
  ///
  /// There must be room for it.
  mutating func hold(_ packet: Packet) {
    packets.append(packet)
    counts[packet.session, default: 0] += 1
  }

  /// Removes and returns the packets that are admitted now, in order.
  mutating func take(where isAdmitted: (Packet) -> Bool) -> [Packet] {
    removeAll(where: isAdmitted)
  }

  /// Removes and returns the packets that have waited for too long.
  mutating func takeExpired(at now: MediaTime) -> [Packet] {
    let time = rules.time
    guard let oldest = packets.first, now - oldest.arrival >= time else { return [] }
    return removeAll { now - $0.arrival >= time }
  }

  /// Drops the waiting packets of a session, or of all sessions if it is `nil`.
  ///
  /// - Returns: The number of dropped packets.
  mutating func drop(from session: SessionKey? = nil) -> Int {
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
