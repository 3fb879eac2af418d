import Foundation
import TestSupport
import Trials
import ZeroMQ

/// A separate Janus with one plugin. Its API is HTTP on loopback.
struct JanusServer: AudioMeeting.Server {
  private let process: ServerProcess
  private let place: LocalHTTP.Place

  /// The path of the program in Debian's package.
  private static let program = "/usr/bin/janus"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// A plugin with one room, whose number is 1.
  enum Plugin: String {
    case audioBridge = "audiobridge"
    case videoRoom = "videoroom"

    fileprivate var configuration: String {
      switch self {
      case .audioBridge:
        """
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
      case .videoRoom:
        """
        room-1: {
          description = "bench"
          publishers = 2
          videocodec = "vp8"
          record = false
        }
        """
      }
    }
  }

  /// Runs Janus during `body`.
  static func hold<Result: Sendable>(
    _ plugin: Plugin, _ body: (JanusServer) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { directory in
      let thread = SocketThread(name: "janus")
      defer {
        thread.stop()
        thread.join()
      }
      let janus = try JanusServer(plugin, in: directory, on: thread)
      do {
        try await janus.begin()
        let result = try await body(janus)
        try await janus.process.kill()
        return result
      } catch {
        say(janus.process.log)
        try? await janus.process.kill()
        throw error
      }
    }
  }

  private init(_ plugin: Plugin, in directory: String, on thread: SocketThread) throws {
    let port = try LocalSocket.freePort()
    place = .port(port)
    try Self.configure(plugin, port: port, in: directory)
    process = ServerProcess(
      "janus", [Self.program, "--disable-colors", "--configs-folder=\(directory)"],
      logPath: "\(directory)/janus.log", on: thread)
  }

  private func begin() async throws {
    try await process.start()
    try await eventually("Janus to answer") {
      (try? await LocalHTTP.ask("GET", "/janus/info", at: place))?.status == 200
    }
  }

  // MARK: Requests

  /// A handle of a plugin. Each handle has a session of its own, so that the session's events
  /// concern only this handle.
  struct Handle: Sendable {
    fileprivate let session: String
    fileprivate let path: String
  }

  /// An SDP description with its type, `offer` or `answer`.
  struct SessionDescription: Codable, Sendable {
    let type: String
    let sdp: String
  }

  /// The members that this program reads from a response or an event.
  struct Answer: Decodable, Sendable {
    let janus: String?
    let transaction: String?
    let data: Identity?
    let plugindata: PluginData?
    let jsep: SessionDescription?

    struct Identity: Decodable, Sendable { let id: Int }
    struct PluginData: Decodable, Sendable { let data: Joined }
    struct Joined: Decodable, Sendable {
      let id: Int?
      let rtp: RTPPort?
      let error: String?
    }
    struct RTPPort: Decodable, Sendable { let port: Int }
  }

  /// Attaches a new handle to the plugin.
  func attach(_ plugin: Plugin) async throws -> Handle {
    let created = try await ask("/janus", #"{"janus": "create", "transaction": "create"}"#)
    guard let session = created.data?.id else { throw BenchError.missing("A session of Janus") }
    let name = "janus.plugin.\(plugin.rawValue)"
    let attached = try await ask(
      "/janus/\(session)",
      #"{"janus": "attach", "plugin": "\#(name)", "transaction": "attach"}"#)
    guard let handle = attached.data?.id else { throw BenchError.missing("A handle of Janus") }
    return Handle(session: "/janus/\(session)", path: "/janus/\(session)/\(handle)")
  }

  /// Sends a request to the plugin, and waits for the event that answers the request.
  ///
  /// - Parameter body: The request, in JSON.
  func request(
    _ body: String, _ description: SessionDescription? = nil, by handle: Handle
  ) async throws -> Answer {
    let transaction = UUID().uuidString
    var message = #"{"janus": "message", "transaction": "\#(transaction)", "body": \#(body)"#
    if let description {
      let json = try JSONEncoder().encode(description)
      message += #", "jsep": "# + String(decoding: json, as: UTF8.self)
    }
    _ = try await ask(handle.path, message + "}")
    // Janus also sends events about other participants.
    while true {
      let event = try await ask("\(handle.session)?maxev=1", nil)
      guard event.transaction == transaction else { continue }
      if let error = event.plugindata?.data.error { throw BenchError.missing("In Janus: \(error)") }
      return event
    }
  }

  /// Waits until the handle's peer connection is established: until Janus has its keys, and has
  /// told the plugin. Janus sends this event once.
  func waitUntilConnected(_ handle: Handle) async throws {
    while try await ask("\(handle.session)?maxev=1", nil).janus != "webrtcup" {}
  }

  private func ask(_ path: String, _ json: String?) async throws -> Answer {
    let answer = try await LocalHTTP.ask(json == nil ? "GET" : "POST", path, at: place, json: json)
    do { return try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8)) } catch {
      throw BenchError.unreadable("janus", answer: answer.body)
    }
  }

  // MARK: Costs

  func used() throws -> Double { try ProcessTime.microseconds(of: processID) }

  func memory() throws -> Double { try ProcessMemory.proportionalKilobytes(of: processID) }

  private var processID: Int {
    get throws {
      guard let id = process.processID else { throw BenchError.ended("janus") }
      return id
    }
  }

  // MARK: Configuration

  /// Writes a configuration that enables only one plugin, and only the transport HTTP on loopback.
  private static func configure(_ plugin: Plugin, port: Int, in directory: String) throws {
    let others = plugins.filter { $0 != plugin.rawValue }
    let janus = """
      general: {
        debug_level = 3
        session_timeout = 0
      }
      media: { ipv6 = false }
      plugins: { disable = "\(libraries(others))" }
      transports: { disable = "\(libraries(transports))" }
      """
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
    try write("janus.jcfg", janus, in: directory)
    try write("janus.transport.http.jcfg", http, in: directory)
    try write("janus.plugin.\(plugin.rawValue).jcfg", plugin.configuration, in: directory)
  }

  private static func write(_ name: String, _ text: String, in directory: String) throws {
    try (text + "\n").write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
  }

  /// The plugins, and the transports other than HTTP, in Debian's package of Janus.
  private static let plugins = [
    "audiobridge", "duktape", "echotest", "lua", "nosip", "recordplay", "sip", "streaming",
    "textroom", "videocall", "videoroom", "voicemail",
  ]
  private static let transports = ["mqtt", "nanomsg", "pfunix", "rabbitmq", "websockets"]

  private static func libraries(_ names: [String]) -> String {
    names.map { "libjanus_\($0).so" }.joined(separator: ",")
  }
}
