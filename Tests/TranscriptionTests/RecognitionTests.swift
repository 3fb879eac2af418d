import Foundation
import Logging
import LongComputation
import MeetingModel
import OwnerTestSupport
import ServiceHost
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

@testable import PocketSphinxEngine
@testable import Transcription

/// Tests that pass real speech through media's chunks, the segmentation, the credit and
/// PocketSphinx.
@Suite(.longComputation, .timeLimit(.minutes(5))) struct RecognitionTests {
  private static let sentences: [(speaker: ParticipantIdentity, voice: String, text: String)] = [
    (.ada, "slt", "the meeting will begin in ten minutes"),
    (.grace, "awb", "we should talk about the plan for next year"),
    (.edsger, "rms", "the weather is very nice today"),
  ]

  @Test func `each of three simultaneous voices is recognized as accurately as a single voice`()
    async throws
  {
    let model = SpeechModel(directory: "/usr/share/pocketsphinx/model/en-us")
    var speech: [(speaker: ParticipantIdentity, samples: [Int16], said: String, direct: String)] =
      []
    for (speaker, voice, text) in Self.sentences {
      let samples = try await Flite.speak(text, voice: voice)
      let decoder = try PocketSphinxDecoder(model)
      try decoder.hear(samples)
      let direct = try decoder.finish().map(\.text).joined(separator: " ")
      speech.append((speaker, samples, text, direct))
    }
    let talks = speech
    try await withTranscription { fixture in
      let engine = PocketSphinxService(
        PocketSphinxConfiguration(instance: "pocketsphinx-a", model: model),
        registry: fixture.registry, in: try ZMQContext(), on: SocketThread(name: "engine"),
        metrics: MetricsRegistry(),
        logger: Logger(label: "engine") { _ in SwiftLogNoOpLogHandler() })
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await engine.run() }
        try await fixture.gateway.start()
        try await fixture.gateway.seen.wait(for: "the engine", within: .seconds(60)) {
          $0.flatMap(\.texts).contains("started")
        }
        try await fixture.media.followed()
        let longest = talks.map(\.samples.count).max() ?? 0
        for start in stride(from: 0, to: longest, by: 1_600) {
          for (speaker, samples, _, _) in talks where start < samples.count {
            let piece = Array(samples[start..<min(start + 1_600, samples.count)])
            await fixture.media.say(
              speaker, piece, isLast: start + 1_600 >= samples.count)
          }
        }
        let seen = try await fixture.gateway.seen.wait(
          for: "a final result of each", within: .seconds(120)
        ) { seen in
          let finals = seen.flatMap(\.results).filter { !$0.isPartial }
          return Set(finals.map(\.channelID)).count == talks.count
        }
        for (speaker, _, said, direct) in talks {
          let results = seen.flatMap(\.results).filter { result in
            let item = result.alternatives.first?.items.first
            return item?.attendee?.attendeeID == speaker.id.text
          }
          let heard = results.filter { !$0.isPartial }.map(\.text).joined(separator: " ")
          let (through, alone) = (wordErrorRate(heard, said), wordErrorRate(direct, said))
          print("\(speaker.externalUserID): \(heard) (\(through)); alone: \(direct) (\(alone))")
          #expect(through <= alone + 0.2)
          #expect(results.first?.isPartial == true)
        }
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }
}
