import Bus
import MeetingModel
import Wire
import ZeroMQ

extension Transcriptions.Chunk {
  /// The maximum length of one chunk, in milliseconds.
  private static let longest = 1_000

  /// Reads a chunk of one talker's speech.
  ///
  /// - Returns: `nil` if the chunk is malformed.
  init?(_ chunk: V1.TalkerChunk, _ raw: MessageFrame) {
    guard let attendee = chunk.attendee, let speaker = try? ParticipantIdentity(attendee),
      raw.count == Int(chunk.samples) * 2,
      chunk.samples <= Self.longest * Int(SpeechTimeline.samplesPerMillisecond),
      chunk.startMs < EngineLimits.samples
    else { return nil }
    self.init(
      speaker: speaker, start: chunk.startMs, samples: raw.pcm, lost: UInt64(chunk.lostMs),
      isLast: chunk.isLast)
  }

  /// Reads an item of a stream of `media`. The item has one raw frame for each chunk.
  ///
  /// - Returns: The chunks, and the number of malformed chunks.
  static func read(
    _ item: V1.TalkerAudio, _ raw: [MessageFrame]
  ) -> (chunks: [Transcriptions.Chunk], malformed: Int) {
    guard item.chunks.count == raw.count else { return ([], item.chunks.count) }
    let chunks = zip(item.chunks, raw).compactMap { Transcriptions.Chunk($0, $1) }
    return (chunks, raw.count - chunks.count)
  }
}

extension MediaClient {
  /// Requests a meeting's speech. The credit limits the number of chunks.
  ///
  /// - Parameters:
  ///   - id: Sixteen bytes that identify the stream in ``grant(_:to:of:)``.
  ///   - onSpeech: Called with the chunks of each item, and with the number of malformed chunks in
  ///     the item.
  func streamTalkers(
    of meeting: MeetingID, as id: [UInt8], credit: UInt32, options: CallOptions,
    onSpeech: @escaping ([Transcriptions.Chunk], _ malformed: Int) -> Void,
    onEnd: @escaping (Status?) -> Void
  ) -> StreamCallHandle {
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

  /// Grants credit for more chunks to `media`.
  ///
  /// The loss of a grant affects only the grant's stream.
  func grant(_ chunks: UInt32, to id: [UInt8], of meeting: MeetingID) {
    let request = V1.GrantTalkerCreditRequest(
      meetingID: meeting.text, streamID: id, credit: chunks)
    grantTalkerCredit(request) { _ in }
  }
}

extension MessageFrame {
  /// Creates a frame of samples, with 16 bits each in little-endian order.
  init(pcm samples: [Int16]) {
    self.init(size: samples.count * 2) { output in
      for sample in samples {
        output.append(UInt8(truncatingIfNeeded: sample))
        output.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    }
  }

  /// The samples of the frame, with 16 bits each in little-endian order. Ignores an odd last byte.
  var pcm: [Int16] {
    let bytes = self.bytes
    return (0..<bytes.count / 2).map { index in
      Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
    }
  }
}
