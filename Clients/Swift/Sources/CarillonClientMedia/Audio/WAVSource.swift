public import Foundation
internal import Synchronization

/// A source that plays a WAV file, once or repeatedly.
public final class WAVSource: AudioSource {
  private let samples: [Int16]
  private let repeats: Bool
  private let position = Mutex(0)

  /// Creates a source from a file.
  ///
  /// - Parameter repeats: Whether to play the file again after its end. If `false`, silence follows
  ///   the end.
  /// - Throws: ``WAVError``, or an error of the file system.
  public convenience init(contentsOf url: URL, repeats: Bool = false) throws {
    self.init(try WAVFile(contentsOf: url), repeats: repeats)
  }

  /// Creates a source from a file in memory.
  ///
  /// - Parameter repeats: Whether to play the file again after its end. If `false`, silence follows
  ///   the end.
  public init(_ file: WAVFile, repeats: Bool = false) {
    samples = file.monophonic
    self.repeats = repeats
  }

  /// Whether the source has played the whole file.
  public var isAtEnd: Bool { !repeats && position.withLock { $0 } >= samples.count }

  public func read(into samples: inout MutableSpan<Int16>) -> Bool {
    var position = position.withLock { $0 }
    defer { self.position.withLock { $0 = position } }
    guard !self.samples.isEmpty, repeats || position < self.samples.count else { return false }
    for index in samples.indices {
      if repeats, position >= self.samples.count { position = 0 }
      samples[index] = position < self.samples.count ? self.samples[position] : 0
      position += 1
    }
    return true
  }
}
