internal import CarillonClient
internal import Foundation
package import LocalInstallation
internal import Output

/// A synthesizer that speaks sentences with `flite` on demand.
package struct SpeechSynthesizer: Sendable {
  private let folder: String
  private let spawner: ProcessSpawner
  private let environment: [String: String]

  /// - Parameters:
  ///   - folder: The directory for the last sentence of each voice.
  ///   - environment: The environment of the processes that this object starts.
  package init(in folder: String, by spawner: ProcessSpawner, environment: [String: String]) {
    (self.folder, self.spawner, self.environment) = (folder, spawner, environment)
  }

  /// Returns a sentence spoken by one of flite's voices, as one channel at 48 kHz.
  ///
  /// - Throws: ``CommandFailure`` of code `UNAVAILABLE` if `flite` is missing.
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
