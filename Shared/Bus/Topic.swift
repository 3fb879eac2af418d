public import MeetingModel

/// What a subscriber asks for: a kind of event and what it is about, `<kind>/<id>/`.
///
/// Subscriptions match by prefix, so that every topic ends in a slash and `roster/m-1/` does not
/// receive `roster/m-10/`.
public struct Topic: Hashable, Sendable {
  /// The whole key as it travels.
  public let text: String

  private init(kind: String, id: String) {
    precondition(!id.contains("/"), "A topic's id has no slash.")
    text = "\(kind)/\(id)/"
  }

  /// The numbered stream of a meeting's roster.
  public static func roster(of meeting: MeetingID) -> Topic {
    Topic(kind: MeetingStream.roster.name, id: meeting.text)
  }

  /// The log of a meeting's data messages.
  public static func messages(of meeting: MeetingID) -> Topic {
    Topic(kind: MeetingStream.messages.name, id: meeting.text)
  }

  /// The numbered stream of a meeting's video sources and tiles.
  public static func tiles(of meeting: MeetingID) -> Topic {
    Topic(kind: MeetingStream.tiles.name, id: meeting.text)
  }

  /// What media measures of the clients of a meeting: volatile events only.
  public static func media(of meeting: MeetingID) -> Topic {
    Topic(kind: "media", id: meeting.text)
  }

  /// The numbered stream of a meeting's transcripts.
  public static func transcripts(of meeting: MeetingID) -> Topic {
    Topic(kind: MeetingStream.transcripts.name, id: meeting.text)
  }

  /// How far the streams of one instance have come.
  public static func beacon(of instance: String) -> Topic { Topic(kind: "beacon", id: instance) }

  var bytes: [UInt8] { Array(text.utf8) }

  /// Whether this topic carries beacons.
  var isBeacon: Bool { text.hasPrefix("beacon/") }

  /// Reads a topic in front of a frame: up to and with its second slash.
  ///
  /// Only ASCII is one: elsewhere different bytes can be equal text, and a slash part of a
  /// character.
  ///
  /// - Returns: `nil` when there are no two slashes in the first hundred bytes, or other
  ///   characters.
  init?(leading bytes: RawSpan) {
    var slashes = 0
    var text: [UInt8] = []
    for offset in 0..<min(bytes.byteCount, 100) {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      guard byte < 0x80 else { return nil }
      text.append(byte)
      if byte == UInt8(ascii: "/") { slashes += 1 }
      if slashes == 2 { break }
    }
    guard slashes == 2 else { return nil }
    self.text = String(decoding: text, as: UTF8.self)
  }
}
