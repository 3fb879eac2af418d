import CarillonClient
import Foundation
import Synchronization
import TestSupport
import Trials

/// Says sentences when it is told to, and silence otherwise. 48 kHz, one channel.
final class SpokenVoice: AudioSource {
  private let waiting = Mutex<ArraySlice<Int16>>([])

  /// Says this behind what it is saying.
  func say(_ samples: [Int16]) { waiting.withLock { $0 += samples } }

  /// Whether everything was said.
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

/// Writes down what a participant hears of the transcription.
final class TranscriptReader: TranscriptEventObserver {
  /// A result as it was told.
  struct Spoken: Hashable, Sendable {
    let id: String
    let isPartial: Bool
    let speaker: String
    let text: String
  }

  /// What became of the transcription, in order.
  let statuses = Journal<TranscriptionStatusType>()
  let spoken = Journal<Spoken>()

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

  /// Waits until the transcription has become so, one status behind the other from a number on.
  func becomes(_ types: TranscriptionStatusType..., since mark: Int = 0) async throws {
    try await statuses.wait(for: "the transcription to be \(types)", within: .seconds(20)) {
      Array($0.dropFirst(mark)) == types
    }
  }

  /// Waits until somebody's final words, from a number of results on, are like a sentence. Four
  /// words of ten suffice: a sentence that was not heard is like none of it, and single words are
  /// misheard at any time.
  func hears(
    _ sentence: String, by speaker: String, since mark: Int = 0
  ) async throws {
    try await spoken.wait(
      for: "\(speaker) to be heard saying: \(sentence)", within: .seconds(30)
    ) {
      let text = $0.dropFirst(mark).filter { !$0.isPartial && $0.speaker == speaker }
        .map(\.text).joined(separator: " ")
      return wordErrorRate(text, sentence) <= 0.6
    }
  }

  /// Waits a while until the last of somebody's final words are about a sentence.
  func hearsEnd(of sentence: String, by speaker: String, since mark: Int) async throws {
    let count = sentence.split(separator: " ").count
    try await spoken.wait(for: "\(speaker) to have said: \(sentence)", within: .seconds(12)) {
      let words = $0.dropFirst(mark).filter { !$0.isPartial && $0.speaker == speaker }
        .flatMap { $0.text.split(separator: " ") }
      return wordErrorRate(words.suffix(count).joined(separator: " "), sentence) <= 0.4
    }
  }

  /// Ids that were final more than once.
  var repeated: [String] {
    Dictionary(grouping: spoken.entries.filter { !$0.isPartial }, by: \.id)
      .filter { $0.value.count > 1 }.keys.sorted()
  }
}
