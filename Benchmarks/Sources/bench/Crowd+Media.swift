import Foundation

/// Clients that exchange RTP packets.
extension Crowd {
  /// Clients of media, who have shown their tickets; the first ones speak when they are told to.
  static func audio(
    _ options: Options, of media: MediaProcess, _ sessions: [MediaProcess.Session]
  ) throws -> Crowd {
    try Crowd(
      options, ["audio", "\(media.port)", try file(of: sessions, in: media), options.voice])
  }

  /// Clients of media, all of whom get the first one's video.
  static func video(
    _ options: Options, of media: MediaProcess, _ sessions: [MediaProcess.Session]
  ) throws -> Crowd {
    try Crowd(options, ["video", "\(media.port)", try file(of: sessions, in: media)])
  }

  /// Clients of a bare ROUTER, in places from `first` on.
  static func router(
    _ options: Options, at port: Int, from first: Int, _ count: Int
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

  /// The first ones send a voice.
  ///
  /// - Returns: Packets of each, and the fewest that somebody got.
  func speak(seconds: Int, speakers: Int) throws -> (ticks: Int, least: Int) {
    let numbers = try ask("speak \(seconds) \(speakers)")
    return (Int(numbers[0]), Int(numbers[1]))
  }

  /// The fewest packets that somebody got since this was asked last.
  func leastHeard() throws -> Int { Int(try ask("heard")[0]) }

  /// How long each mark takes from mouth to ear, in microseconds, one pair after the other.
  func talk(marks: Int) throws -> [Double] { try ask("talk \(marks)").map { $0 / 1_000 } }

  /// The ports at which clients over UDP wait for packets.
  func ports() throws -> [Int] { try ask("ports").map { Int($0) } }

  /// Tells clients over UDP where each one sends to.
  func dial(_ ports: [Int]) throws {
    _ = try ask("dial \(ports.map(String.init).joined(separator: " "))")
  }
}

extension Options {
  /// A voice as Opus packets, made by `opus_alone`.
  var voice: String { "\(peers)/voice.opus-packets" }
}
