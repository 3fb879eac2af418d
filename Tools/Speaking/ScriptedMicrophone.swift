internal import CarillonClient
internal import Synchronization

/// A client's microphone that plays given samples, and silence otherwise.
package final class ScriptedMicrophone: AudioSource, Sendable {
  private struct Words {
    var samples: ArraySlice<Int16> = []
    var listeners: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
  }

  private let words = Mutex(Words())

  package init() {}

  /// Plays samples, and waits until the microphone has played all samples or has closed.
  ///
  /// - Parameter samples: One channel at 48 kHz.
  package func say(_ samples: [Int16]) async {
    await withCheckedContinuation { continuation in
      let isClosed = words.withLock { words in
        guard !words.isClosed else { return true }
        words.samples += samples
        words.listeners.append(continuation)
        return false
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Closes the microphone, so that no caller waits for a stream without a reader.
  package func close() {
    let listeners = words.withLock { words in
      defer { words = Words(isClosed: true) }
      return words.listeners
    }
    for listener in listeners { listener.resume() }
  }

  package func read(into samples: inout MutableSpan<Int16>) -> Bool {
    let (piece, done) = words.withLock {
      words -> (ArraySlice<Int16>, [CheckedContinuation<Void, Never>]) in
      let piece = words.samples.prefix(samples.count)
      words.samples = words.samples.dropFirst(piece.count)
      guard words.samples.isEmpty else { return (piece, []) }
      defer { words.listeners = [] }
      return (piece, words.listeners)
    }
    for listener in done { listener.resume() }
    guard !piece.isEmpty else { return false }
    for index in samples.indices {
      samples[index] = index < piece.count ? piece[piece.startIndex + index] : 0
    }
    return true
  }
}
