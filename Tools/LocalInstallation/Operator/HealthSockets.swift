internal import Foundation
package import Output

/// The health sockets of an installation: `<instance>.http.sock` in the runtime directory.
package struct HealthSockets: Sendable {
  private static let ending = ".http.sock"

  /// The runtime directory.
  package let directory: String

  /// Creates the list of a directory's sockets. The list may be empty.
  package init(in directory: String) { self.directory = directory }

  /// Creates the list for the first directory that has sockets; `nil` if no directory has sockets.
  package init?(inFirstOf places: [String]) {
    guard let directory = places.first(where: { !Self(in: $0).instances.isEmpty }) else {
      return nil
    }
    self.directory = directory
  }

  /// The instances that have a socket now, sorted by name.
  package var instances: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }.sorted()
  }

  /// Sends a GET request to an instance. The instance may have ended.
  ///
  /// - Throws: ``HTTPError`` when the instance does not answer in time.
  package func get(
    _ target: String, of instance: String, within time: Duration
  ) async throws(HTTPError) -> HTTPResponse {
    try await HTTPClient(.unixSocket(path: "\(directory)/\(instance)\(Self.ending)"))
      .send(HTTPRequest(.get, target), within: time)
  }

  /// Returns each instance's metrics in Prometheus's text format, sorted by name.
  ///
  /// The text is `nil` for an instance that does not answer in time. All requests run concurrently.
  package func metrics(within time: Duration) async -> [(instance: String, text: String?)] {
    await withTaskGroup(of: (instance: String, text: String?).self) { group in
      for instance in instances {
        group.addTask {
          let answer = try? await get("/metrics", of: instance, within: time)
          return (instance, answer?.status == 200 ? answer?.text : nil)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.instance < $1.instance }
    }
  }

  /// Returns the error that states that no service runs in the given directories.
  package static func noService(in places: [String]) -> CommandFailure {
    .unavailable(
      "No service runs in \(places.joined(separator: " or ")); start it, or name its directory "
        + "with --runtime-dir.")
  }
}
