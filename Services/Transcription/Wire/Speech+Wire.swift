import Bus
import MeetingModel
import Wire
import ZeroMQ

extension Transcriptions.Chunk {
  /// The maximum length of one chunk, in milliseconds.
  private static let longest = 1_000

  /// Reads a chunk of one talker's speech.
  ///
  /// - Returns: `nil` if it is malformed.
  init?(_ chunk: V1.TalkerChunk, _ raw: Frame) {
    guard let attendee = chunk.attendee, let speaker = try? ParticipantIdentity(attendee),
      raw.count == Int(chunk.samples) * 2,
      chunk.samples <= Self.longest * Int(SpeechTimeline.samplesPerMillisecond),
      chunk.startMs < EngineLimits.samples
    else { return nil }
    self.init(
      speaker: speaker, start: chunk.startMs, samples: raw.pcm, lost: UInt64(chunk.lostMs),
      isLast: chunk.isLast)
  }

  /// Reads an item of media's stream, which has one raw frame for each chunk.
  ///
  /// - Returns: The chunks, and the number of malformed ones.
  static func read(
    _ item: V1.TalkerAudio, _ raw: [Frame]
  ) -> (chunks: [Transcriptions.Chunk], malformed: Int) {
    guard item.chunks.count == raw.count else { return ([], item.chunks.count) }
    let chunks = zip(item.chunks, raw).compactMap { Transcriptions.Chunk($0, $1) }
    return (chunks, raw.count - chunks.count)
  }
}

extension MediaClient {
  /// Requests a meeting's speech, paced by credit.
  ///
  /// - Parameters:
  ///   - id: Sixteen bytes that identify the stream in ``grant(_:to:of:)``.
  ///   - onSpeech: Called with the chunks of each item, and the number of malformed ones.
  func streamTalkers(
    of meeting: MeetingID, as id: [UInt8], credit: UInt32, options: CallOptions,
    onSpeech: @escaping ([Transcriptions.Chunk], _ malformed: Int) -> Void,
    onEnd: @escaping (Status?) -> Void
  ) -> StreamHandle {
    let request = V1.StreamTalkersRequest(
      meetingID: meeting.text, streamID: id, credit: credit,
      chunkMs: UInt32(TranscriptionRules.chunk / .milliseconds(1)))
    return channel.openRaw(
      V1.MediaMethods.streamTalkers, request, options,
      onItem: { item, raw in
        let (chunks, malformed) = Transcriptions.Chunk.read(item, raw)
        onSpeech(chunks, malformed)
      }, onEnd: onEnd)
  }

  /// Grants media more chunks.
  ///
  /// A grant that is lost matters only to its stream.
  func grant(_ chunks: UInt32, to id: [UInt8], of meeting: MeetingID) {
    let request = V1.GrantTalkerCreditRequest(
      meetingID: meeting.text, streamID: id, credit: chunks)
    grantTalkerCredit(request) { _ in }
  }
}

extension Frame {
  /// Creates a frame of samples, 16 bits each, little-endian.
  init(pcm samples: [Int16]) {
    self.init(size: samples.count * 2) { output in
      for sample in samples {
        output.append(UInt8(truncatingIfNeeded: sample))
        output.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    }
  }

  /// The frame's samples, 16 bits each, little-endian; an odd last byte is ignored.
  var pcm: [Int16] {
    let bytes = self.bytes
    return (0..<bytes.count / 2).map { index in
      Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
    }
  }
}
