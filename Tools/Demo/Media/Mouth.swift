internal import CarillonClient
internal import Synchronization

/// The microphone of a client of the demo: says what it is told to, and is silent otherwise.
final class Mouth: AudioSource, Sendable {
  private struct Words {
    var samples: ArraySlice<Int16> = []
    var listeners: [CheckedContinuation<Void, Never>] = []
  }

  private let words = Mutex(Words())

  /// Says something, and returns when all of it was.
  ///
  /// - Parameter samples: One channel at 48 kHz.
  func say(_ samples: [Int16]) async {
    await withCheckedContinuation { continuation in
      words.withLock { words in
        words.samples += samples
        words.listeners.append(continuation)
      }
    }
  }

  func read(into samples: inout MutableSpan<Int16>) -> Bool {
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
