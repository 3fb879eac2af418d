import Foundation
import TestSupport
import Trials

/// The AudioBridge of a separate Janus, with participants that exchange plain RTP over loopback.
///
/// The bridge's room mixes like Carillon: 48 kHz, one channel, 32 kbit/s at complexity 5, levels in
/// the packets.
struct JanusBridge {
  private let place: LocalHTTP.Place

  /// The path of the program in Debian's package.
  private static let program = "/usr/bin/janus"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Returns Janus's processor time for 20 ms of a room in which everyone speaks, in microseconds.
  static func microsecondsPerTick(
    _ options: Options, participants: Int, seconds: Int
  ) async throws -> Double {
    try await withTemporaryDirectory { directory in
      let port = try LocalSocket.freePort()
      try writeConfiguration(port: port, in: directory)
      // The shell prints its process id, and then becomes the process of Janus.
      let command = [
        "sh", "-c", "echo $$; exec \(program) --disable-colors --configs-folder=\(directory)",
      ]
      return try await withPeers([("janus", command)], in: directory) { peers in
        let process = try await Int(peers[0].line(0)) ?? 0
        let crowd = try Crowd(options, ["udp", "\(participants)", options.voice])
        defer { crowd.end() }
        try crowd.dial(try await JanusBridge(place: .port(port)).join(at: try crowd.ports()))
        _ = try crowd.speak(seconds: 2, speakers: participants)  // Warm-up: fills the buffers.
        let before = try ProcessTime.microseconds(of: process)
        let (ticks, least) = try crowd.speak(seconds: seconds, speakers: participants)
        let used = try ProcessTime.microseconds(of: process) - before
        guard least > seconds * 40 else { throw BenchError.missing("What Janus was to send") }
        return used / Double(ticks)
      }
    }
  }

  // MARK: Joining

  /// Joins one participant for each port. The participant receives packets at this port.
  ///
  /// - Returns: The ports at which Janus receives the participants' packets.
  private func join(at ports: [Int]) async throws -> [Int] {
    try await eventually("Janus to answer") {
      (try? await LocalHTTP.ask("GET", "/janus/info", at: place))?.status == 200
    }
    let session = try await ask("/janus", #"{"janus": "create", "transaction": "create"}"#)
    guard let session = session.data?.id else { throw BenchError.missing("A session of Janus") }
    var remote: [Int] = []
    for port in ports { remote.append(try await join(at: port, "/janus/\(session)")) }
    return remote
  }

  private func join(at port: Int, _ session: String) async throws -> Int {
    let attach =
      #"{"janus": "attach", "plugin": "janus.plugin.audiobridge", "transaction": "attach"}"#
    guard let handle = try await ask(session, attach).data?.id else {
      throw BenchError.missing("A handle of Janus")
    }
    let name = "join-\(port)"
    let rtp = #"{"ip": "127.0.0.1", "port": \#(port), "payload_type": 111, "audiolevel_ext": 1}"#
    let body =
      #"{"request": "join", "room": 1, "quality": 5, "bitrate": 32000, "rtp": \#(rtp)}"#
    _ = try await ask(
      "\(session)/\(handle)",
      #"{"janus": "message", "transaction": "\#(name)", "body": \#(body)}"#)
    // Janus also sends events about participants who are already present.
    while true {
      let event = try await ask("\(session)?maxev=1", nil)
      guard event.transaction == name else { continue }
      guard let port = event.plugindata?.data.rtp?.port else {
        throw BenchError.missing("A port of Janus")
      }
      return port
    }
  }

  private func ask(_ path: String, _ json: String?) async throws -> Answer {
    let answer = try await LocalHTTP.ask(json == nil ? "GET" : "POST", path, at: place, json: json)
    do { return try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8)) } catch {
      throw BenchError.unreadable("janus", answer: answer.body)
    }
  }

  /// The members that this program reads from a response or an event.
  private struct Answer: Decodable {
    let transaction: String?
    let data: Identity?
    let plugindata: PluginData?

    struct Identity: Decodable { let id: Int }
    struct PluginData: Decodable { let data: Joined }
    struct Joined: Decodable { let rtp: Place? }
    struct Place: Decodable { let port: Int }
  }

  // MARK: Configuration

  /// Writes a configuration with only the AudioBridge and HTTP, on loopback.
  private static func writeConfiguration(port: Int, in directory: String) throws {
    try write("janus.jcfg", configuration, in: directory)
    try write("janus.plugin.audiobridge.jcfg", audioBridge, in: directory)
    let http = """
      general: {
        json = "compact"
        base_path = "/janus"
        http = true
        port = \(port)
        ip = "127.0.0.1"
        https = false
      }
      """
    try write("janus.transport.http.jcfg", http, in: directory)
  }

  private static func write(_ name: String, _ text: String, in directory: String) throws {
    try (text + "\n").write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
  }

  /// The other plugins and transports in Debian's package of Janus, which this benchmark disables.
  private static let plugins = [
    "duktape", "echotest", "lua", "nosip", "recordplay", "sip", "streaming", "textroom",
    "videocall", "videoroom", "voicemail",
  ]
  private static let transports = ["mqtt", "nanomsg", "pfunix", "rabbitmq", "websockets"]

  private static func libraries(_ names: [String]) -> String {
    names.map { "libjanus_\($0).so" }.joined(separator: ",")
  }

  private static let configuration = """
    general: {
      debug_level = 3
      session_timeout = 0
    }
    media: { ipv6 = false }
    plugins: { disable = "\(libraries(plugins))" }
    transports: { disable = "\(libraries(transports))" }
    """

  private static let audioBridge = """
    general: { local_ip = "127.0.0.1" }
    room-1: {
      description = "bench"
      sampling_rate = 48000
      audiolevel_ext = true
      default_bitrate = 32000
      allow_rtp_participants = true
      record = false
    }
    """
}
