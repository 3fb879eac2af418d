/// One participant's connection to a media server. Only the participant's socket thread uses the
/// connection.
protocol BenchmarkAudioConnection: AnyObject {
  /// The number of messages with sound that the server has sent.
  var received: Int { get }

  /// Whether the connection is established, so that both sides can send.
  var isReady: Bool { get }

  /// Sends the credentials, if the server needs them in the first message.
  func show()

  /// Performs the work that is due at the current time, such as retransmissions.
  func advance()

  /// Sends 20 ms of audio; see ``AudioPacket``.
  func send(_ payload: [UInt8], tick: Int, level: UInt8)

  func close()
}

/// A media server that answers the offers of browsers.
protocol OfferAnswerer: Sendable {
  /// Admits a participant, and returns the answer to the participant's offer.
  func answer(_ offer: String) async throws -> String
}
