/// Why a data message was not sent.
public enum SendDataMessageError: Int, Error, CaseNamed {
  /// The payload is longer than 2048 bytes.
  case invalidDataLength
  /// The topic is not 1 to 36 letters, digits, `_` or `-`.
  case invalidTopic
  /// The lifetime is below zero.
  case negativeLifetimeParameter
  /// The payload is neither text, bytes nor a JSON array or object.
  case invalidData
}
