internal import CarillonClient
internal import Foundation
internal import Output

/// Sentences that are spoken by `flite` when the demo needs them.
struct Speech {
  let stage: DemoStage

  /// A sentence as one of flite's voices says it: one channel at 48 kHz.
  func say(_ text: String, voice: String) async throws -> [Int16] {
    let path = "\(stage.folder.path)/\(voice).wav"
    do {
      _ = try await stage.output(of: "flite", ["-voice", voice, "-t", text, "-o", path])
    } catch {
      throw CommandFailure(
        code: "UNAVAILABLE",
        message: "flite could not speak (\(error)); install it: apt-get install flite.")
    }
    return try WAVFile(contentsOf: URL(filePath: path)).monophonic
  }
}
