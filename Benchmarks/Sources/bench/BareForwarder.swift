import Foundation
import SRTP
import TestSupport
import WebRTC

/// A separate process that only forwards SRTP (`Peers/srtp_forward`). Its participants need neither
/// ICE nor DTLS: both sides know the keys.
struct BareForwarder: AudioMeeting.Server {
  /// The address at which participants reach the process.
  let address: UDPAddress
  private let processID: Int

  /// A participant, and the key of the participant's packets.
  struct Participant: Sendable {
    let address: UDPAddress
    private let secret: [UInt8]

    /// Makes a participant with a random key.
    init(at address: UDPAddress) {
      self.address = address
      secret = (0..<28).map { _ in .random(in: 0...255) }
    }

    var key: MasterKey? {
      let (key, salt) = (secret.span.bytes.extracting(..<16), secret.span.bytes.extracting(16...))
      return MasterKey(profile: .aeadAES128GCM, key: key, salt: salt)
    }

    fileprivate var line: String {
      let key = secret.map { String(format: "%02x", $0) }.joined()
      return "\(address.text) \(address.port) \(key)"
    }
  }

  /// Runs the process during `body`.
  ///
  /// - Parameter peers: The directory of the peers' programs.
  static func hold<Result: Sendable>(
    in peers: String, from camera: Participant, to receivers: [Participant],
    _ body: (BareForwarder) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/participants"
      let type = VideoPacketGenerator.payloadType
      let lines = receivers.enumerated().map { "receiver \($1.line) \($0 + 1) \(type)\n" }
      try "camera \(camera.line)\n\(lines.joined())".write(
        toFile: path, atomically: true, encoding: .utf8)
      let command = ["\(peers)/srtp_forward", path]
      return try await withPeers([("srtp_forward", command)], in: directory) { peers in
        guard let port = UInt16(try await peers[0].line(1)) else {
          throw BenchError.missing("The port of srtp_forward")
        }
        let host = try DatagramSocket.ownHost().host
        return try await body(
          BareForwarder(
            address: UDPAddress(host: host, port: port), processID: peers[0].processID))
      }
    }
  }

  func used() throws -> Double { try ProcessTime.microseconds(of: processID) }

  func memory() throws -> Double { try ProcessMemory.proportionalKilobytes(of: processID) }
}
