public import Foundation

/// Something was said.
public final class Transcript: NSObject, TranscriptEvent, Sendable {
  public let results: [TranscriptResult]

  public init(results: [TranscriptResult]) {
    self.results = results
  }
}
