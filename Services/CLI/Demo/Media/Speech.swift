internal import CarillonClientMedia
internal import Foundation

/// Sentences that are spoken by `flite` when the demo needs them.
struct Speech {
  let stage: DemoStage

  /// A sentence as one of flite's voices says it: one channel at 48 kHz.
  func say(_ text: String, voice: String) async throws -> [Int16] {
    let path = "\(stage.folder.path)/\(voice).wav"
    let (ends, end) = AsyncStream.makeStream(of: ChildExit.self)
    let command = ChildCommand(
      "flite", ["-voice", voice, "-t", text, "-o", path],
      environment: stage.environment)
    _ = try await stage.spawner.start(command, onLine: { _ in }) { exit in
      end.yield(exit)
      end.finish()
    }
    for await exit in ends where exit != .status(0) {
      throw CommandFailure(
        code: "UNAVAILABLE",
        message: "flite could not speak (\(exit)); install it: apt-get install flite.")
    }
    return try WAVFile(contentsOf: URL(filePath: path)).monophonic
  }
}
