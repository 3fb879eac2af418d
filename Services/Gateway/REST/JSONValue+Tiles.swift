import Wire

extension JSONValue {
  /// Returns the members of an answer that lists the video that an attendee receives.
  static func members(of received: AttendeeReceivedVideo) -> [String: JSONValue] {
    var members: [String: JSONValue] = ["Tiles": .array(received.tiles.map(JSONValue.init(tile:)))]
    members["DownlinkBitsPerSecond"] = received.downlinkBitsPerSecond.map { .integer(Int64($0)) }
    return members
  }

  private init(tile: AttendeeReceivedVideo.Tile) {
    let who = tile.source.attendee
    var members: [String: JSONValue] = [
      "TileId": .integer(Int64(tile.source.tileID)),
      "AttendeeId": .string(String((who?.attendeeID ?? "").prefix { $0 != "#" })),
      "ExternalUserId": .string(who?.externalUserID ?? ""),
      "Kind": .string(tile.source.kind == .content ? "Content" : "Camera"),
      "Layer": .integer(Int64(tile.layer == nil ? 0 : tile.forwarding.layer)),
      "LayerCount": .integer(Int64(tile.source.layers.count)),
      "Reason": .string(tile.forwarding.reason.word),
    ]
    members["DisplayName"] = (who?.displayName).flatMap { $0.isEmpty ? nil : .string($0) }
    if let layer = tile.layer {
      members["Width"] = .integer(Int64(layer.width))
      members["Height"] = .integer(Int64(layer.height))
      members["BitsPerSecond"] = .integer(Int64(tile.forwarding.bitsPerSecond))
    }
    self = .object(members)
  }
}

extension V1.ForwardingReason {
  fileprivate var word: String {
    switch self {
    case .unspecified, .unrecognized: "NotSent"
    case .wanted: "Wanted"
    case .lowered: "Lowered"
    case .pausedForBandwidth: "PausedForBandwidth"
    case .pausedByUser: "PausedByUser"
    case .notFlowing: "NotFlowing"
    case .notSubscribed: "NotSubscribed"
    case .overLimit: "OverLimit"
    case .receivingOff: "ReceivingOff"
    case .cannotDecode: "CannotDecode"
    }
  }
}
