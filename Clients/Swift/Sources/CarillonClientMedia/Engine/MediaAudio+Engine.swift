package import CarillonClientCore

extension MediaAudio {
  /// Returns a media engine for a session with this audio.
  ///
  /// - Throws: An error when the process lacks a resource, such as open files.
  package func makeEngine(log: SessionLogger) throws -> any MediaEngine {
    let runtime = try ClientRuntime.current()
    return RTPMediaEngine(audio: self, in: runtime.context, on: runtime.mediaThread, log: log)
  }
}
