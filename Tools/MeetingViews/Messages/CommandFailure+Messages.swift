internal import CarillonClientCore
internal import Output

extension CommandFailure {
  /// Creates the failure of a data message that the client did not send.
  package init(sending error: any Error) {
    switch error {
    case let error as SendDataMessageError: self = .invalid(error.advice)
    case DataMessageFailure.invalidRecipients:
      self = .invalid("--to must be at most 250 attendee ids.")
    case let error as DataMessageFailure: self.init(code: error.code, message: "\(error)")
    default: self.init(error)
    }
  }
}

extension SendDataMessageError {
  fileprivate var advice: String {
    switch self {
    case .invalidDataLength:
      "The message is too long: it may have at most \(DisplayedDataMessage.longest) bytes."
    case .invalidTopic: "--topic must have 1-36 of the characters A-Z a-z 0-9 _ and -."
    case .negativeLifetimeParameter: "--lifetime-ms must be 0 or more."
    case .invalidData: "The message must be text, bytes, or a JSON object or array."
    }
  }
}

extension DataMessageFailure {
  fileprivate var code: String {
    switch self {
    case .notStarted, .notSent: "CANCELLED"
    case .invalidRecipients: "INVALID_ARGUMENT"
    case .queueFull, .throttled: "RESOURCE_EXHAUSTED"
    case .refused: "REFUSED"
    case .unconfirmed: "UNKNOWN"
    }
  }
}
