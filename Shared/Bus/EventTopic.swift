public import MeetingModel

/// A subscription's topic: a kind of event and its subject, `<kind>/<id>/`.
///
/// Subscriptions match by prefix, so every topic ends in a slash. Otherwise a subscriber of
/// `roster/m-1` would also receive `roster/m-10`.
public struct EventTopic: Hashable, Sendable {
  /// The whole topic as the publisher sends it.
  public let text: String

  private init(kind: String, id: String) {
    precondition(!id.contains("/"), "A topic's id has no slash.")
    text = "\(kind)/\(id)/"
  }

  /// Returns the topic of the numbered stream of a meeting's roster.
  public static func roster(of meeting: MeetingID) -> EventTopic {
    EventTopic(kind: MeetingStream.roster.name, id: meeting.text)
  }

  /// Returns the topic of the log of a meeting's data messages.
  public static func messages(of meeting: MeetingID) -> EventTopic {
    EventTopic(kind: MeetingStream.messages.name, id: meeting.text)
  }

  /// Returns the topic of the numbered stream of a meeting's video sources and tiles.
  public static func tiles(of meeting: MeetingID) -> EventTopic {
    EventTopic(kind: MeetingStream.tiles.name, id: meeting.text)
  }

  /// Returns the topic of the measurements that `media` makes of a meeting's clients. The topic
  /// carries only volatile events.
  public static func media(of meeting: MeetingID) -> EventTopic {
    EventTopic(kind: "media", id: meeting.text)
  }

  /// Returns the topic of the numbered stream of a meeting's transcripts.
  public static func transcripts(of meeting: MeetingID) -> EventTopic {
    EventTopic(kind: MeetingStream.transcripts.name, id: meeting.text)
  }

  /// Returns the topic of one instance's beacons, which report the positions of the instance's
  /// streams.
  public static func beacon(of instance: String) -> EventTopic {
    EventTopic(kind: "beacon", id: instance)
  }

  var bytes: [UInt8] { Array(text.utf8) }

  /// Whether this topic carries beacons.
  var isBeacon: Bool { text.hasPrefix("beacon/") }

  /// Reads the topic at the start of a message. The topic ends with the message's second slash.
  ///
  /// This initializer accepts only ASCII. In Unicode text, different bytes can compare equal, and a
  /// slash can be part of a character.
  ///
  /// - Returns: The topic, or `nil` if the first hundred bytes contain fewer than two slashes, or
  ///   contain a byte that is not ASCII.
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
