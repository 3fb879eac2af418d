package import MeetingModel

/// The reason why a request got no response.
package enum HTTPError: StatusConvertible, Hashable {
  case cannotConnect(String)
  case timedOut
  case connectionLost
  case malformed(String)

  package var status: Status {
    switch self {
    case .cannotConnect(let reason): Status(.unavailable, "Cannot connect: \(reason).")
    case .timedOut: Status(.deadlineExceeded, "The server did not answer in time.")
    case .connectionLost:
      Status(.unavailable, "The server closed the connection before it answered.")
    case .malformed(let why): Status(.internalError, "The answer is not an HTTP response: \(why).")
    }
  }
}
