/// The enums of the contract that have a counterpart in MeetingModel.
///
/// A service uses the counterpart internally, and converts the counterpart where the service sends
/// or receives messages. The generator writes this conversion once. A counterpart has the same case
/// names as its enum, except `unspecified`, and the compiler checks that no case is missing. The
/// numbers may differ, because the raw values of a counterpart are the facade's raw values.
///
/// To give an enum a counterpart, add the type to MeetingModel and its name to this table.
enum ModelEnums {
  /// The meaning of the enum's number 0 for code that reads a message.
  enum Unspecified {
    /// No value: the conversion returns `nil`.
    case missing
    /// The number 0 has the same meaning as the case with this name.
    case same(as: String)
    /// Either the enum has no `unspecified`, or its counterpart in MeetingModel has an
    /// `unspecified`, too.
    case ordinary
  }

  /// The enums of the contract that have a counterpart, by name. The counterpart has the same name.
  static let twins: [String: Unspecified] = [
    "AttendeeState": .missing,
    "AudioMode": .same(as: "stereo48K"),
    "ForwardingReason": .missing,
    "KnockState": .missing,
    "MediaDirection": .same(as: "sendReceive"),
    "PartialResultsStability": .missing,
    "PresenceReason": .missing,
    "SensitiveContentType": .missing,
    "SessionStatusCode": .ordinary,
    "SignalStrength": .missing,
    "StatusCode": .ordinary,
    "StatusReason": .ordinary,
    "TilePauseState": .missing,
    "TranscriptionStatusType": .missing,
    "VideoCodec": .missing,
    "VideoContentHint": .same(as: "none"),
    "VideoPriority": .same(as: "high"),
    "VideoSourceKind": .missing,
    "VocabularyFilterMethod": .missing,
    "VolumeLevel": .missing,
  ]
}
