import Bus
import Foundation
import MeetingModel
import TestSupport

/// Instances of one service, without other services. `Peers/crowd` acts as the gateway at the
/// instances' own sockets.
struct BenchmarkServiceInstances: Sendable {
  let service: String
  let directory: String

  /// The names of the instances.
  let instances: [String]

  /// Starts the instances one after another and runs them during `body`.
  static func hold<Result: Sendable>(
    _ service: String, count: Int = 1, flags: [String],
    _ body: (BenchmarkServiceInstances) async throws -> Result
  ) async throws -> Result {
    let binaries = try Installation.binaries()
    return try await withTemporaryDirectory { directory in
      let instances = "abc".prefix(count).map { "\(service)-\($0)" }
      precondition(instances.count == count, "There are names for one to three instances.")
      let places = ["--runtime-dir", "\(directory)/run", "--data-dir", "\(directory)/data"]
      let commands = instances.map { instance in
        (instance, ["\(binaries)/\(service)", "--instance", instance] + places + flags)
      }
      let owners = BenchmarkServiceInstances(
        service: service, directory: directory, instances: instances)
      return try await withPeers(
        commands, in: directory, startingEach: { try await owners.becomeReady($0, $1) }
      ) { peers in
        do { return try await body(owners) } catch {
          for peer in peers { say(peer.log) }
          throw error
        }
      }
    }
  }

  private func becomeReady(_ instance: String, _ peer: PeerProcess) async throws {
    let place = LocalHTTP.Place.unixSocket(path: path("http", of: instance))
    try await eventually("\(instance) to be ready", within: .seconds(20)) {
      guard peer.isRunning else {
        say(peer.log)
        throw BenchError.ended(instance)
      }
      return (try? await LocalHTTP.ask("GET", "/readyz", at: place))?.status == 200
    }
  }

  /// Returns the path of an instance's socket: `rpc`, `events` or `http`.
  func path(_ name: String, of instance: String) -> String {
    "\(directory)/run/\(instance).\(name).sock"
  }

  /// Writes a list of meetings for `Peers/crowd`, evenly spread over the instances.
  ///
  /// - Returns: The path of the list.
  func makeMeetings(_ count: Int) throws -> String {
    let membership = OwningInstances(of: instances)
    var left = Dictionary(uniqueKeysWithValues: instances.map { ($0, count / instances.count) })
    var lines = ""
    while left.contains(where: { $0.value > 0 }) {
      let meeting = MeetingID.random()
      guard let owner = membership.owner(of: meeting), left[owner, default: 0] > 0 else { continue }
      left[owner, default: 0] -= 1
      lines += "\(path("rpc", of: owner)) \(meeting.text)\n"
    }
    let list = "\(directory)/meetings"
    try lines.write(toFile: list, atomically: true, encoding: .utf8)
    return list
  }

  /// The process ids of the instances.
  var processIDs: [Int] {
    get throws {
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: "\(directory)/run")
      return try registry.instances(of: service).map { Int($0.processID) }
    }
  }
}
