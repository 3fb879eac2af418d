import MeetingModel
import RTP

/// Packets of publishers that arrived before the decision that admits them.
///
/// A publisher and media learn of a decision on different paths, so the first packets of a source,
/// or of its new layers or codec, may arrive first. They wait here in order of arrival. Both one
/// session and the meeting may have only so many packets waiting, and each waits only for a while.
struct EarlyVideo: Sendable {
  /// A packet that waits.
  struct Packet: Sendable {
    let session: SessionKey
    let packet: RTPPacket
    let codec: VideoCodec
    let bytes: [UInt8]
    let arrival: MediaTime

    /// Why it is refused if no decision admits it in time.
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

  /// How many packets each session has among them.
  private var counts: [SessionKey: Int] = [:]

  init(_ rules: Rules) { self.rules = rules }

  var isEmpty: Bool { packets.isEmpty }

  /// Whether one more packet of a session may wait.
  func hasRoom(for session: SessionKey) -> Bool {
    packets.count < rules.packets && counts[session, default: 0] < rules.packetsOfSession
  }

  /// A packet waits from now on. There must be room for it.
  mutating func hold(_ packet: Packet) {
    packets.append(packet)
    counts[packet.session, default: 0] += 1
  }

  /// Hands over the packets that are admitted now, in order.
  mutating func take(where isAdmitted: (Packet) -> Bool) -> [Packet] {
    removeAll(where: isAdmitted)
  }

  /// Hands over the packets that have waited for too long.
  mutating func takeExpired(at now: MediaTime) -> [Packet] {
    let time = rules.time
    guard let oldest = packets.first, now - oldest.arrival >= time else { return [] }
    return removeAll { now - $0.arrival >= time }
  }

  /// Drops what waits of a session; `nil`: of all.
  ///
  /// - Returns: How many packets that were.
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
