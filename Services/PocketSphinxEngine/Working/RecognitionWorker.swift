import MeetingModel
import Wire

/// The talkers that share one thread. Each talker has a separate decoder, and only one decoder runs
/// at a time.
struct RecognitionWorker {
  private let model: SpeechModel
  private let mostStreams: Int
  private var talkers: [Key: TalkerRecognizer] = [:]

  /// The decoders without a talker. The worker keeps them, because loading a model takes almost a
  /// second.
  private var idle: [PocketSphinxDecoder]

  private struct Key: Hashable {
    let stream: String
    let attachment: TranscriptionAttachmentID
  }

  /// Creates a worker and loads the model for its first decoder.
  ///
  /// - Throws: ``PocketSphinxError`` if the model does not load.
  init(_ model: SpeechModel, mostStreams: Int) throws(PocketSphinxError) {
    (self.model, self.mostStreams) = (model, mostStreams)
    idle = [try PocketSphinxDecoder(model)]
  }

  /// Runs the next job.
  ///
  /// - Returns: The outcome to report; `nil` if there is nothing to report.
  mutating func perform(_ job: RecognitionJob) -> RecognitionOutcome? {
    switch job {
    case .start(let started, let attachment): begin(started, attachment)
    case .hear(let audio, let samples, let attachment): hear(audio, samples, attachment)
    case .end(let ended, let attachment): end(ended, attachment)
    case .forget(let attachment): forget(attachment)
    }
  }

  private mutating func begin(
    _ started: V1.EngineStreamStarted, _ attachment: TranscriptionAttachmentID
  ) -> RecognitionOutcome? {
    let key = Key(stream: started.streamID, attachment: attachment)
    guard talkers.count < mostStreams else {
      return failure(
        of: started.streamID, attachment,
        """
        The engine already decodes \(mostStreams) streams, which is the limit; attach another \
        engine.
        """)
    }
    do throws(PocketSphinxError) {
      let decoder = if let idle = idle.popLast() { idle } else { try PocketSphinxDecoder(model) }
      talkers[key] = TalkerRecognizer(started, decoder)
      return nil
    } catch {
      return failure(of: started.streamID, attachment, error.status.message)
    }
  }

  private mutating func hear(
    _ audio: V1.EngineAudio, _ samples: [Int16], _ attachment: TranscriptionAttachmentID
  ) -> RecognitionOutcome? {
    var outcome = RecognitionOutcome(attachment: attachment, credit: 1)
    let key = Key(stream: audio.streamID, attachment: attachment)
    guard var talker = talkers.removeValue(forKey: key) else { return outcome }
    do throws(PocketSphinxError) {
      if let result = try talker.hear(audio, samples) { outcome.results = [result] }
      let through = talker.heldBack ?? audio.firstSample + UInt64(samples.count)
      outcome.progress = [
        V1.EngineProgress(streamID: audio.streamID, throughSample: through)
      ]
      talkers[key] = talker
    } catch {
      idle.append(talker.decoder)
      outcome.failures = [
        V1.EngineFailure(streamID: audio.streamID, message: error.status.message)
      ]
    }
    return outcome
  }

  private mutating func end(
    _ ended: V1.EngineStreamEnded, _ attachment: TranscriptionAttachmentID
  ) -> RecognitionOutcome? {
    let key = Key(stream: ended.streamID, attachment: attachment)
    guard var talker = talkers.removeValue(forKey: key) else { return nil }
    idle.append(talker.decoder)
    // The decoder must end its utterance even if the worker discards the result.
    let last = try? talker.finish()
    guard !ended.isDiscarded, let last else { return nil }
    return RecognitionOutcome(attachment: attachment, results: [last])
  }

  private mutating func forget(_ attachment: TranscriptionAttachmentID) -> RecognitionOutcome? {
    for key in talkers.keys where key.attachment == attachment {
      guard var talker = talkers.removeValue(forKey: key) else { continue }
      _ = try? talker.finish()
      idle.append(talker.decoder)
    }
    return nil
  }

  private func failure(
    of stream: String, _ attachment: TranscriptionAttachmentID, _ message: String
  ) -> RecognitionOutcome {
    RecognitionOutcome(
      attachment: attachment, failures: [V1.EngineFailure(streamID: stream, message: message)])
  }
}
