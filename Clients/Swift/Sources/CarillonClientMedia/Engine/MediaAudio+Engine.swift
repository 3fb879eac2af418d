package import CarillonClientCore

extension MediaAudio {
  /// The media half of a session that says and hears this.
  ///
  /// - Throws: When the process has not got what it takes, such as open files.
  package func makeEngine(log: SessionLog) throws -> any MediaEngine {
    let runtime = try ClientRuntime.current()
    return RTPMediaEngine(audio: self, in: runtime.context, on: runtime.mediaThread, log: log)
  }
}
