import MeetingModel
import Wire

/// The contents of a browser's JOIN.
struct BrowserJoin: Hashable {
  /// The session number that the client keeps when it reconnects; `nil` if the client sends none.
  let audioSession: UInt64?

  /// The client's last position in each stream.
  let positions: [V1.StreamPosition]

  /// Whether the client wants presence.
  let wantsPresence: Bool

  /// Whether the client will send SUBSCRIBE. Such a client expects the roster after SUBSCRIBE_ACK.
  let wantsMedia: Bool

  /// Whether the client is the public C++ client, which needs additional frames.
  let isNative: Bool

  /// The network adaptation that JOIN_ACK offers; `nil` if the client chooses its layers itself.
  let adaption: Signaling.SdkServerSideNetworkAdaption?

  private static let protocolVersion: UInt32 = 2
  private static let mostPositions = 16

  /// The network adaptations that the gateway supports, the most capable first. If the client
  /// requests one of these adaptations and supports it, the gateway chooses this adaptation.
  /// Otherwise, the gateway chooses the most capable adaptation that the client supports.
  private static let adaptions: [Signaling.SdkServerSideNetworkAdaption] = [
    .bandwidthProbingAndVideoQualityAdaption, .bandwidthProbing, .none,
  ]

  /// Reads a JOIN. Returns `nil` if the gateway cannot serve the JOIN.
  init?(_ join: Signaling.SdkJoinFrame) {
    guard join.protocolVersion ?? Self.protocolVersion == Self.protocolVersion,
      join.positions.count <= Self.mostPositions
    else { return nil }
    audioSession = join.audioSessionID
    positions = join.positions.compactMap(V1.StreamPosition.init(_:))
    wantsPresence = (join.flags ?? 0) & 2 != 0
    wantsMedia = join.wantsNoMedia != true
    isNative = join.clientDetails?.clientSource == "amazon-chime-sdk-cpp"
    let supported = join.supportedServerSideNetworkAdaptions
    let usable = Self.adaptions.filter { supported.contains($0) }
    adaption = usable.first { $0 == join.serverSideNetworkAdaption } ?? usable.first
  }
}

extension V1.StreamPosition {
  /// Reads a position from the text that ``Signaling/CarillonPosition/init(_:)`` wrote. Returns
  /// `nil` for any other text.
  init?(_ position: Signaling.CarillonPosition) {
    let parts = position.place.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let sequence = UInt64(parts[1]) else {
      return nil
    }
    self.init(stream: position.stream, epoch: epoch, sequence: sequence)
  }
}

extension Signaling.CarillonPosition {
  /// Encodes a position as text, for clients that cannot store 64-bit numbers.
  init(_ position: V1.StreamPosition) {
    self.init(stream: position.stream, place: "\(position.epoch)-\(position.sequence)")
  }
}
