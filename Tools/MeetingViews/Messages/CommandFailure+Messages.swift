internal import CarillonClientCore
internal import Output

extension CommandFailure {
  /// Creates the failure of a data message that the client did not send.
  package init(sending error: any Error) {
    switch error {
    case let error as SendDataMessageError: self = .invalid(error.advice)
    case DataMessageFailure.invalidRecipients:
      self = .invalid("--to takes attendee ids, 250 at most.")
    case let error as DataMessageFailure: self.init(code: error.code, message: "\(error)")
    default: self.init(error)
    }
  }
}

extension SendDataMessageError {
  fileprivate var advice: String {
    switch self {
    case .invalidDataLength: "A message has at most \(DisplayedDataMessage.longest) bytes."
    case .invalidTopic: "A topic has 1-36 of the characters A-Z a-z 0-9 _ and -."
    case .negativeLifetimeParameter: "--lifetime-ms must not be negative."
    case .invalidData: "This is neither text, bytes nor JSON."
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
