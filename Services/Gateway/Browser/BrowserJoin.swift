import MeetingModel
import Wire

/// What a browser says of itself when it joins.
struct BrowserJoin: Hashable {
  /// The number that the client keeps when it comes back; `nil` for a client that has none.
  let audioSession: UInt64?

  /// How far the client had come in each stream.
  let positions: [V1.StreamPosition]

  /// The client is told who is there.
  let wantsPresence: Bool

  /// It sends SUBSCRIBE, behind whose answer it waits for the roster.
  let wantsMedia: Bool

  /// It is the public client in C++, which needs some frames that others do not.
  let isNative: Bool

  /// Who chooses the layers that the client receives, as JOIN_ACK says it; `nil` for a client that
  /// chooses by itself.
  let adaption: Signaling.SdkServerSideNetworkAdaption?

  private static let protocolVersion: UInt32 = 2
  private static let mostPositions = 16

  /// How the gateway adapts, the most that it can do first.
  private static let adaptions: [Signaling.SdkServerSideNetworkAdaption] = [
    .bandwidthProbingAndVideoQualityAdaption, .bandwidthProbing, .none,
  ]

  /// `nil` for what cannot be served.
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
    adaption = Self.adaptions.first { supported.contains($0) }
  }
}

extension V1.StreamPosition {
  /// What a client was given by ``Signaling/CarillonPosition/init(_:)``; `nil` for anything else.
  init?(_ position: Signaling.CarillonPosition) {
    let parts = position.place.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let sequence = UInt64(parts[1]) else {
      return nil
    }
    self.init(stream: position.stream, epoch: epoch, sequence: sequence)
  }
}

extension Signaling.CarillonPosition {
  /// A position as a client keeps it, which may not be able to keep numbers of 64 bits.
  init(_ position: V1.StreamPosition) {
    self.init(stream: position.stream, place: "\(position.epoch)-\(position.sequence)")
  }
}
