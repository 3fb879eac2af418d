/// A detector of a talker's utterances.
///
/// Speech is sound that is clearly above the noise of the last seconds. An utterance begins shortly
/// before its detection, and ends after a pause. A long utterance ends at a shorter pause, and at
/// the latest after ``SegmenterRules/longestFrames``. The segmenter omits silence between
/// utterances.
struct SpeechSegmenter: Sendable {
  private let rules: SegmenterRules
  private var noise = SegmenterRules.quietest
  private var state = State.silent

  /// The samples that do not fill a frame yet.
  private var rest: [Int16] = []

  /// The position of the first sample of `rest`.
  private var restFirst: UInt64 = 0

  /// The samples directly before `rest`, for the start of an utterance.
  private var lead: [Int16] = []

  /// One bit for each frame in `lead`: whether the frame is speech. The lowest bit is for the
  /// newest frame.
  private var recent: UInt32 = 0

  private enum State: Sendable, Hashable {
    case silent
    /// An utterance is in progress and has `frames` frames. The last `quiet` frames contain no
    /// speech.
    case speaking(frames: Int, quiet: Int)
  }

  init(_ rules: SegmenterRules = SegmenterRules()) { self.rules = rules }

  /// Whether an utterance is in progress.
  var isSpeaking: Bool { state != .silent }

  /// Processes the next samples.
  ///
  /// - Parameters:
  ///   - samples: The samples, at 16 kHz with one channel.
  ///   - first: The position of the first sample. A gap after the previous samples means that
  ///     samples are missing.
  /// - Returns: The speech in these and earlier samples, oldest first.
  mutating func push(_ samples: [Int16], at first: UInt64) -> [SpeechPiece] {
    if rest.isEmpty && lead.isEmpty {
      restFirst = first
    } else if first != restFirst + UInt64(rest.count) {
      (rest, lead, recent) = ([], [], 0)
      restFirst = first
    }
    rest += samples
    var pieces: [SpeechPiece] = []
    var start = 0
    while start + SegmenterRules.frame <= rest.count {
      let frame = rest[start..<start + SegmenterRules.frame]
      take(frame, at: restFirst + UInt64(start), into: &pieces)
      start += SegmenterRules.frame
    }
    rest.removeFirst(start)
    restFirst += UInt64(start)
    return pieces
  }

  /// Ends the present utterance, because the talker fell silent or left.
  mutating func flush() -> [SpeechPiece] {
    defer { (rest, lead, recent, state) = ([], [], 0, .silent) }
    guard isSpeaking else { return [] }
    return [SpeechPiece(first: restFirst, samples: rest, isEndOfUtterance: true)]
  }

  private mutating func take(
    _ frame: ArraySlice<Int16>, at first: UInt64, into pieces: inout [SpeechPiece]
  ) {
    let isSpeech = hear(frame)
    switch state {
    case .silent:
      recent = recent << 1 | (isSpeech ? 1 : 0)
      let begin = first - UInt64(lead.count)
      lead += frame
      if (recent & 0b11111).nonzeroBitCount >= rules.framesToBegin {
        state = .speaking(frames: lead.count / SegmenterRules.frame, quiet: 0)
        append(lead[...], at: begin, to: &pieces)
        (lead, recent) = ([], 0)
      } else if lead.count > rules.leadFrames * SegmenterRules.frame {
        lead.removeFirst(SegmenterRules.frame)
      }
    case .speaking(let frames, let quiet):
      append(frame, at: first, to: &pieces)
      let quiet = isSpeech ? 0 : quiet + 1
      let pause = frames < rules.longFrames ? rules.pauseFrames : rules.shortPauseFrames
      if quiet >= pause || frames + 1 >= rules.longestFrames {
        pieces[pieces.count - 1].isEndOfUtterance = true
        state = .silent
      } else {
        state = .speaking(frames: frames + 1, quiet: quiet)
      }
    }
  }

  private func append(
    _ samples: ArraySlice<Int16>, at first: UInt64, to pieces: inout [SpeechPiece]
  ) {
    if let last = pieces.last, !last.isEndOfUtterance, last.end == first {
      pieces[pieces.count - 1].samples += samples
    } else {
      pieces.append(SpeechPiece(first: first, samples: Array(samples)))
    }
  }

  /// Returns whether a frame is speech, and updates the noise estimate.
  private mutating func hear(_ frame: ArraySlice<Int16>) -> Bool {
    var sum: Int64 = 0
    for sample in frame { sum += Int64(sample) * Int64(sample) }
    let power = Double(sum) / Double(SegmenterRules.frame) / (32_768 * 32_768)
    let isSpeech = power > max(noise * rules.speechAboveNoise, rules.leastSpeech)
    noise = power < noise ? max(power, SegmenterRules.quietest) : noise * rules.noiseRise
    return isSpeech
  }
}
