/// The enums of the contract that have a twin in MeetingModel.
///
/// A service decides with the twin and its rim converts, so that the conversion is written here
/// once and generated. A twin has the cases of its enum by the same names, except `unspecified`;
/// that it has them all, the compiler sees. Numbers may differ: the raw values of a twin are the
/// facade's.
///
/// To give an enum a twin, write the type into MeetingModel and its name into this table.
enum ModelEnums {
  /// What the number 0 means to who reads it.
  enum Unspecified {
    /// Nothing: the conversion gives `nil`.
    case missing
    /// The same as this case.
    case same(as: String)
    /// The enum has no `unspecified`, or the twin has one, too.
    case ordinary
  }

  /// Enums of the contract by name. The twin has the same name.
  static let twins: [String: Unspecified] = [
    "AttendeeState": .missing,
    "AudioMode": .same(as: "stereo48K"),
    "ForwardingReason": .missing,
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
