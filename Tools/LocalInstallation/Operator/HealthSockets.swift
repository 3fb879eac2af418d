internal import Foundation

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
}
