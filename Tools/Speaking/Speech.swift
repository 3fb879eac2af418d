internal import CarillonClient
internal import Foundation
package import LocalInstallation
internal import Output

/// Sentences that are spoken by `flite` when they are needed.
package struct Speech: Sendable {
  private let folder: String
  private let spawner: ProcessSpawner
  private let environment: [String: String]

  /// - Parameters:
  ///   - folder: Where it keeps the last sentence of each voice.
  ///   - environment: Of the processes that it starts.
  package init(in folder: String, by spawner: ProcessSpawner, environment: [String: String]) {
    (self.folder, self.spawner, self.environment) = (folder, spawner, environment)
  }

  /// A sentence as one of flite's voices says it: one channel at 48 kHz.
  ///
  /// - Throws: ``CommandFailure`` of code `UNAVAILABLE` where there is no `flite`.
  package func say(_ text: String, voice: String) async throws -> [Int16] {
    let path = "\(folder)/\(voice).wav"
    do {
      _ = try await spawner.output(
        of: ChildCommand(
          "flite", ["-voice", voice, "-t", text, "-o", path], environment: environment))
    } catch {
      throw CommandFailure(
        code: "UNAVAILABLE",
        message: "flite could not speak (\(error)); install it: apt-get install flite.")
    }
    return try WAVFile(contentsOf: URL(filePath: path)).monophonic
  }
}
