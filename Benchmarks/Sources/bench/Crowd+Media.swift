import Foundation

/// Clients that exchange RTP packets.
extension Crowd {
  /// Starts clients of `media`. The clients have sent their tickets when this method returns.
  /// ``speak(seconds:speakers:)`` makes the given number of clients speak.
  static func audio(
    _ options: MeasurementOptions, of media: MediaProcess, _ sessions: [MediaProcess.Session]
  ) throws -> Crowd {
    try Crowd(
      options, ["audio", "\(media.port)", try file(of: sessions, in: media), options.voice])
  }

  /// Starts clients of `media`. All clients receive the video of the first client.
  static func video(
    _ options: MeasurementOptions, of media: MediaProcess, _ sessions: [MediaProcess.Session]
  ) throws -> Crowd {
    try Crowd(options, ["video", "\(media.port)", try file(of: sessions, in: media)])
  }

  /// Starts `count` clients of a bare ROUTER. The clients have consecutive numbers, and the number
  /// of the first client is `first`.
  static func router(
    _ options: MeasurementOptions, at port: Int, from first: Int, _ count: Int
  ) throws -> Crowd {
    try Crowd(options, ["router", "\(port)", "\(first)", "\(count)", options.voice])
  }

  private static func file(
    of sessions: [MediaProcess.Session], in media: MediaProcess
  ) throws -> String {
    let path = "\(media.directory)/sessions"
    try sessions.map(\.line).joined().write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Makes the first `speakers` clients send a voice.
  ///
  /// - Returns: The number of packets that each speaker sent, and the smallest number of packets
  ///   that any client received.
  func speak(seconds: Int, speakers: Int) throws -> (ticks: Int, least: Int) {
    let numbers = try ask("speak \(seconds) \(speakers)")
    return (Int(numbers[0]), Int(numbers[1]))
  }

  /// Returns the smallest number of packets that any client received since the last call.
  func leastHeard() throws -> Int { Int(try ask("heard")[0]) }

  /// Returns the mouth-to-ear latency of each mark (a packet in which the sound becomes loud), in
  /// microseconds. The latencies are grouped by pair of speaker and listener.
  func talk(marks: Int) throws -> [Double] { try ask("talk \(marks)").map { $0 / 1_000 } }

  /// Returns the ports at which UDP clients receive packets.
  func ports() throws -> [Int] { try ask("ports").map { Int($0) } }

  /// Sets the port that each UDP client sends to.
  func dial(_ ports: [Int]) throws {
    _ = try ask("dial \(ports.map(String.init).joined(separator: " "))")
  }
}

extension MeasurementOptions {
  /// The file of a voice as Opus packets, written by `opus_alone`.
  var voice: String { "\(peers)/voice.opus-packets" }
}
