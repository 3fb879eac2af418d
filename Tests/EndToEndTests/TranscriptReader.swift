import CarillonClient
import Foundation
import Synchronization
import TestSupport
import Testing
import Trials

/// An audio source that plays queued sentences, and silence otherwise: 48 kHz, one channel.
final class SpokenVoice: AudioSource {
  private let waiting = Mutex<ArraySlice<Int16>>([])

  /// Queues samples after the samples that already wait.
  func say(_ samples: [Int16]) { waiting.withLock { $0 += samples } }

  /// Whether the source has played all queued samples.
  var isSilent: Bool { waiting.withLock { $0.isEmpty } }

  func read(into samples: inout MutableSpan<Int16>) -> Bool {
    let count = samples.count
    let part = waiting.withLock { waiting in
      let part = Array(waiting.prefix(count))
      waiting = waiting.dropFirst(count)
      return part
    }
    for index in samples.indices { samples[index] = index < part.count ? part[index] : 0 }
    return true
  }
}

/// An observer that records the transcription events of a participant.
final class TranscriptReader: TranscriptEventObserver {
  /// A received result.
  struct Spoken: Hashable, Sendable {
    let id: String
    let isPartial: Bool
    let speaker: String
    let text: String
  }

  /// The statuses of the transcription, in order.
  let statuses = AwaitableEntryList<TranscriptionStatusType>()
  let spoken = AwaitableEntryList<Spoken>()

  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent) {
    switch transcriptEvent {
    case let status as TranscriptionStatus: statuses.append(status.type)
    case let transcript as Transcript:
      for result in transcript.results {
        let best = result.alternatives.first
        spoken.append(
          Spoken(
            id: result.resultId, isPartial: result.isPartial,
            speaker: best?.items.first?.attendee.externalUserId ?? "",
            text: best?.transcript ?? ""))
      }
    default: break
    }
  }

  /// Waits until the statuses are exactly these, in this order.
  ///
  /// - Parameter mark: The number of earlier statuses to ignore.
  func becomes(_ types: TranscriptionStatusType..., since mark: Int = 0) async throws {
    try await statuses.wait(for: "the transcription to be \(types)", within: .seconds(20)) {
      Array($0.dropFirst(mark)) == types
    }
  }

  /// Waits up to 12 s until the text of a speaker's final results ends with words that resemble the
  /// sentence.
  ///
  /// Six of ten words must match. Single words are often misrecognized, but a sentence that nobody
  /// spoke matches far fewer words.
  ///
  /// - Parameter mark: The number of earlier results to ignore.
  func hearsEnd(of sentence: String, by speaker: String, since mark: Int) async throws {
    let count = sentence.split(separator: " ").count
    try await spoken.wait(for: "\(speaker) to have said: \(sentence)", within: .seconds(12)) {
      let words = $0.dropFirst(mark).filter { !$0.isPartial && $0.speaker == speaker }
        .flatMap { $0.text.split(separator: " ") }
      return wordErrorRate(words.suffix(count).joined(separator: " "), sentence) <= 0.4
    }
  }

  /// Waits for the final result with the given id.
  func final(of id: String) async throws -> Spoken {
    let isFinal: @Sendable (Spoken) -> Bool = { $0.id == id && !$0.isPartial }
    let results = try await spoken.wait(for: "the final result \(id)", within: .seconds(60)) {
      $0.contains(where: isFinal)
    }
    let final = results.first(where: isFinal)
    return try #require(final)
  }

  /// The ids of results that were final more than once.
  var repeated: [String] {
    Dictionary(grouping: spoken.entries.filter { !$0.isPartial }, by: \.id)
      .filter { $0.value.count > 1 }.keys.sorted()
  }
}
