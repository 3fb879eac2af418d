import Foundation
import TestSupport

/// The AudioBridge of a separate Janus.
///
/// The bridge's room mixes like Carillon: 48 kHz, one channel, 32 kbit/s at complexity 5, levels in
/// the packets. Its participants are browsers, or exchange plain RTP over loopback.
struct JanusAudioBridge: OfferAnswerer {
  private let server: JanusServer

  init(_ server: JanusServer) { self.server = server }

  /// Returns Janus's processor time for 20 ms of a room in which everyone speaks over plain RTP, in
  /// microseconds.
  static func microsecondsPerTick(
    _ options: MeasurementOptions, participants: Int, seconds: Int
  ) async throws -> Double {
    try await JanusServer.hold(.audioBridge) { server in
      let crowd = try Crowd(options, ["udp", "\(participants)", options.voice])
      defer { crowd.end() }
      try crowd.dial(try await JanusAudioBridge(server).join(at: try crowd.ports()))
      _ = try crowd.speak(seconds: 2, speakers: participants)  // Warm-up: fills the buffers.
      let before = try server.used()
      let (ticks, least) = try crowd.speak(seconds: seconds, speakers: participants)
      let used = try server.used() - before
      guard least > seconds * 40 else { throw BenchError.missing("What Janus was to send") }
      return used / Double(ticks)
    }
  }

  /// Adds one participant to the room for each port. The participant receives packets at this port.
  ///
  /// - Returns: The ports at which Janus receives the participants' packets.
  private func join(at ports: [Int]) async throws -> [Int] {
    var remote: [Int] = []
    for port in ports {
      let rtp = #"{"ip": "127.0.0.1", "port": \#(port), "payload_type": 111, "audiolevel_ext": 1}"#
      let handle = try await server.attach(.audioBridge)
      let event = try await server.request(Self.join(#", "rtp": \#(rtp)"#), by: handle)
      guard let port = event.plugindata?.data.rtp?.port else {
        throw BenchError.missing("A port of Janus")
      }
      remote.append(port)
    }
    return remote
  }

  func answer(_ offer: String) async throws -> String {
    let handle = try await server.attach(.audioBridge)
    _ = try await server.request(Self.join(""), by: handle)
    let event = try await server.request(
      #"{"request": "configure", "muted": false}"#, .init(type: "offer", sdp: offer), by: handle)
    guard let answer = event.jsep else { throw BenchError.missing("An answer of Janus") }
    return answer.sdp
  }

  private static func join(_ more: String) -> String {
    #"{"request": "join", "room": 1, "quality": 5, "bitrate": 32000\#(more)}"#
  }
}
