internal import Dispatch
public import Foundation
internal import Synchronization

/// A sink that records received audio in a WAV file, on its own queue.
public final class WAVRecorder: AudioSink {
  private struct State {
    var file: FileHandle?
    var channels = 0
    var dataBytes = 0
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "carillon.audio.record")

  /// Creates the file, and overwrites an existing file.
  ///
  /// - Throws: An error of the file system.
  public init(to url: URL) throws {
    try Data().write(to: url)
    state = Mutex(State(file: try FileHandle(forWritingTo: url)))
  }

  deinit { finish() }

  public func write(_ samples: Span<Int16>, channels: Int) {
    var data = Data(capacity: samples.count * 2)
    for index in samples.indices {
      data.append(UInt8(truncatingIfNeeded: samples[index]))
      data.append(UInt8(truncatingIfNeeded: samples[index] >> 8))
    }
    queue.async { [weak self, data] in self?.append(data, channels) }
  }

  /// Waits until the recorder has written all audio, and completes the file. The recorder ignores
  /// later audio.
  public func close() { queue.sync { finish() } }

  private func append(_ data: Data, _ channels: Int) {
    state.withLock { state in
      guard let file = state.file else { return }
      if state.channels == 0 {
        state.channels = channels
        try? file.write(
          contentsOf: WAVFile.header(channels: channels, hertz: SampleRate.hertz, dataBytes: 0))
      }
      guard (try? file.write(contentsOf: data)) != nil else { return }
      state.dataBytes += data.count
    }
  }

  private func finish() {
    state.withLock { state in
      guard let file = state.file.take() else { return }
      try? file.seek(toOffset: 0)
      try? file.write(
        contentsOf: WAVFile.header(
          channels: max(1, state.channels), hertz: SampleRate.hertz, dataBytes: state.dataBytes))
      try? file.close()
    }
  }
}
