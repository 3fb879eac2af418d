internal import Foundation
package import Output

/// The sockets on which the services of an installation say how they are: one for each instance in
/// the runtime directory, `<instance>.http.sock`.
package struct HealthSockets: Sendable {
  private static let ending = ".http.sock"

  /// The runtime directory.
  package let directory: String

  /// Those of a directory, whether there are any or not.
  package init(in directory: String) { self.directory = directory }

  /// Those of the first directory in which there are any; `nil`: there are none.
  package init?(inFirstOf places: [String]) {
    guard let directory = places.first(where: { !Self(in: $0).instances.isEmpty }) else {
      return nil
    }
    self.directory = directory
  }

  /// The instances that have one now, in order of their names.
  package var instances: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }.sorted()
  }

  /// Asks one; it may have ended meanwhile.
  ///
  /// - Throws: ``HTTPError`` when it does not answer in time.
  package func get(
    _ target: String, of instance: String, within time: Duration
  ) async throws(HTTPError) -> HTTPResponse {
    try await HTTPClient(.unixSocket(path: "\(directory)/\(instance)\(Self.ending)"))
      .send(HTTPRequest(.get, target), within: time)
  }

  /// What each instance counts, in Prometheus's text format, in order of their names; `nil` of one
  /// that does not answer in time. All are asked at once.
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

  /// That no service runs in these places.
  package static func noService(in places: [String]) -> CommandFailure {
    .unavailable(
      "No service runs in \(places.joined(separator: " or ")); start it, or name its directory "
        + "with --runtime-dir.")
  }
}
