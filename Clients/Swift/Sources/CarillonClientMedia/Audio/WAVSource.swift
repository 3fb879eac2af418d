public import Foundation
internal import Synchronization

/// Says what is in a sound file, once or again and again.
public final class WAVSource: AudioSource {
  private let samples: [Int16]
  private let repeats: Bool
  private let position = Mutex(0)

  /// - Parameter repeats: Begins again at the end, instead of falling silent.
  /// - Throws: ``WAVError``, or the file system's error.
  public convenience init(contentsOf url: URL, repeats: Bool = false) throws {
    self.init(try WAVFile(contentsOf: url), repeats: repeats)
  }

  /// Says what is in a file that was read already.
  ///
  /// - Parameter repeats: Begins again at the end, instead of falling silent.
  public init(_ file: WAVFile, repeats: Bool = false) {
    samples = file.monophonic
    self.repeats = repeats
  }

  /// Whether all was said.
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
