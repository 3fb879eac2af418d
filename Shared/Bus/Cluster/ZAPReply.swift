/// An answer to a ``ZAPRequest``.
struct ZAPReply: Hashable, Sendable {
  /// The statuses that this type uses. With status 300, libzmq would drop the peer silently.
  enum Status: String, Sendable {
    case success = "200"
    case failure = "400"
    case internalError = "500"
  }

  let id: [UInt8]
  let status: Status

  /// The peer's name; empty if this process refuses the peer.
  let userID: String

  init(id: [UInt8], status: Status, userID: String) {
    (self.id, self.status, self.userID) = (id, status, userID)
  }

  init(id: [UInt8], _ verdict: AllowList.Verdict) {
    switch verdict {
    case .admitted(let name): self.init(id: id, status: .success, userID: name)
    case .refused: self.init(id: id, status: .failure, userID: "")
    }
  }

  /// The frames: version, request id, status, text, user id, metadata.
  var frames: [[UInt8]] {
    [
      ZAPRequest.version, id, Array(status.rawValue.utf8), Array("\(status)".utf8),
      Array(userID.utf8), [],
    ]
  }
}
