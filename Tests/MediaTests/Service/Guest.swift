import MeetingModel
import Wire

/// An attendee for the tests of the service. Guests with the same number are the same attendee.
struct Guest: Hashable, Sendable {
  let number: UInt8
  var isContent = false

  static let ada = Guest(number: 1)
  static let grace = Guest(number: 2)
  static let edsger = Guest(number: 3)

  /// The meeting of all guests.
  static let meeting = "00000000-0000-4000-8000-00000000aaaa"

  var content: Guest { Guest(number: number, isContent: true) }

  /// The guest's id: `<attendee id>`, with the suffix `#content` for a content share.
  var id: String {
    "00000000-0000-4000-8000-0000000000\(hexadecimal)" + (isContent ? "#content" : "")
  }

  var info: V1.AttendeeInfo {
    V1.AttendeeInfo(attendeeID: id, externalUserID: "guest-\(number)")
  }

  var session: [UInt8] { [number, isContent ? 1 : 0] + [UInt8](repeating: 7, count: 14) }

  /// Returns the ticket with this number.
  func ticket(_ count: UInt8 = 0) -> [UInt8] {
    [number, isContent ? 1 : 0, count] + [UInt8](repeating: 0xC3, count: 13)
  }

  /// The SSRC of the guest's audio packets.
  var ssrc: UInt32 { UInt32(number) << 8 | (isContent ? 1 : 0) }

  private var hexadecimal: String {
    String(number / 16, radix: 16) + String(number % 16, radix: 16)
  }
}

extension V1.Capabilities {
  /// Returns capabilities with the given directions. By default, a guest may send and receive
  /// everything.
  static func all(
    audio: V1.MediaDirection = .sendReceive, video: V1.MediaDirection = .sendReceive,
    content: V1.MediaDirection = .sendReceive
  ) -> V1.Capabilities {
    V1.Capabilities(audio: audio, video: video, content: content)
  }
}
