package import Output
package import Wire

/// The decision about one source for one receiver, or a source without receivers.
package struct TileDecisionRow: Hashable, Sendable {
  /// The key of a row: a tile and a receiver.
  package struct Key: Hashable, Sendable {
    package let tile: UInt32
    /// The receiver's session; empty if there is no session.
    package let session: [UInt8]
  }

  /// A receiver, and the decision for this receiver.
  package struct Receiver: Hashable, Sendable {
    package let attendee: AttendeeName
    package let forwarding: V1.Forwarding
    /// The estimated bandwidth of the receiver's link; 0 if there is no estimate.
    let downlink: UInt32
  }

  package let key: Key
  package let source: V1.VideoSource
  /// The receiver; `nil` if no other attendee is present.
  package let receiver: Receiver?

  private var publisher: AttendeeName {
    AttendeeName(
      attendeeID: source.attendee?.attendeeID ?? "",
      externalUserID: source.attendee?.externalUserID ?? "",
      displayName: source.attendee?.displayName ?? "")
  }

  /// Returns the row as `--output json` prints it.
  ///
  /// - Parameter isRemoved: Whether the source ended or the receiver left.
  package func record(isRemoved: Bool = false) -> OutputRecord {
    let forwarding = receiver?.forwarding
    return [
      "tile_id": JSONValue(source.tileID), "attendee_id": .text(publisher.attendeeID),
      "external_user_id": .text(publisher.externalUserID), "kind": .text(source.kind.word),
      "layers": .list(source.layers.map { .object($0.record) }),
      "receiver_id": receiver.map { .text($0.attendee.attendeeID) } ?? .null,
      "receiver_external_user_id": receiver.map { .text($0.attendee.externalUserID) } ?? .null,
      "layer": forwarding.map { JSONValue($0.layer) } ?? .null,
      "reason": forwarding.map { .text($0.reason.word) } ?? .null,
      "priority": forwarding.map { .text($0.priority.word) } ?? .null,
      "bits_per_second": forwarding.map { JSONValue($0.bitsPerSecond) } ?? .null,
      "downlink_bits_per_second": receiver.map { JSONValue($0.downlink) } ?? .null,
      "is_removed": .bool(isRemoved),
    ]
  }

  /// The cells of a table for a person, with their headers.
  package var cells: OutputRecord {
    let forwarding = receiver?.forwarding
    return [
      "tile": JSONValue(source.tileID), "source": .text(Self.name(of: publisher)),
      "layers": .text(source.layers.map(\.text).joined(separator: " ")),
      "receiver": .text(receiver.map { Self.name(of: $0.attendee) } ?? ""),
      "gets": .text(gets), "why": .text(forwarding?.reason.phrase ?? ""),
      "priority": .text(forwarding?.priority.word ?? ""),
      "kbit/s": .text(Self.kilobits(forwarding?.bitsPerSecond ?? 0)),
      "downlink": .text(Self.kilobits(receiver?.downlink ?? 0)),
    ]
  }

  /// The forwarded layer, such as `2/3 640x360`; empty if the server forwards no layer.
  private var gets: String {
    guard let layer = receiver?.forwarding.layer, layer > 0, layer <= source.layers.count else {
      return ""
    }
    let sent = source.layers[Int(layer) - 1]
    return "\(layer)/\(source.layers.count) \(sent.width)x\(sent.height)"
  }

  /// Returns one line for a person.
  package func text(isRemoved: Bool) -> String {
    let source = "tile \(source.tileID) of \(Self.name(of: publisher))"
    guard let receiver else { return isRemoved ? "\(source): ended" : "\(source): nobody watches" }
    let pair = "\(source) to \(Self.name(of: receiver.attendee))"
    guard !isRemoved else { return "\(pair): ended" }
    return gets.isEmpty
      ? "\(pair): \(receiver.forwarding.reason.phrase)"
      : "\(pair): \(gets), \(receiver.forwarding.reason.phrase)"
  }

  /// Returns the attendee's name, or the id of an attendee without a known name. The row marks the
  /// name of a content share.
  private static func name(of attendee: AttendeeName) -> String {
    let name =
      attendee.shown.isEmpty ? attendee.attendeeID : PrintableText.escaped(attendee.shown)
    let isContent = attendee.attendeeID.hasSuffix("#content")
    return isContent && !name.hasSuffix("#content") ? "\(name)#content" : name
  }

  private static func kilobits(_ bits: UInt32) -> String { bits == 0 ? "" : "\(bits / 1000)" }
}

extension V1.VideoLayer {
  fileprivate var record: OutputRecord {
    [
      "width": JSONValue(width), "height": JSONValue(height),
      "frames_per_second": JSONValue(framesPerSecond),
      "bits_per_second": JSONValue(bitsPerSecond),
    ]
  }

  /// The layer as text, such as `360p30/600k`.
  fileprivate var text: String { "\(height)p\(framesPerSecond)/\(bitsPerSecond / 1000)k" }
}

extension V1.VideoSourceKind {
  fileprivate var word: String {
    switch self {
    case .camera: "camera"
    case .content: "content"
    case .unspecified, .unrecognized: "unknown"
    }
  }
}

extension V1.VideoPriority {
  fileprivate var word: String {
    switch self {
    case .lowest: "lowest"
    case .low: "low"
    case .medium: "medium"
    case .high, .unspecified: "high"
    case .highest: "highest"
    case .unrecognized: "unknown"
    }
  }
}

extension V1.ForwardingReason {
  /// The phrase as it appears in JSON.
  fileprivate var word: String { phrase.replacing(" ", with: "_") }

  fileprivate var phrase: String {
    switch self {
    case .wanted: "wanted"
    case .lowered: "lowered"
    case .pausedForBandwidth: "paused for bandwidth"
    case .pausedByUser: "paused by user"
    case .notFlowing: "not flowing"
    case .notSubscribed: "not subscribed"
    case .overLimit: "over limit"
    case .receivingOff: "receiving off"
    case .cannotDecode: "cannot decode"
    case .unspecified, .unrecognized: "unknown"
    }
  }
}
