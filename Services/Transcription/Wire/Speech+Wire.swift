import MeetingModel
import Wire
import ZeroMQ

extension Transcriptions.Chunk {
  /// Most milliseconds of speech in one chunk.
  private static let longest = 1_000

  /// Reads one talker's speech as it arrived.
  ///
  /// - Returns: `nil` if it is not what it should be.
  init?(_ chunk: V1.TalkerChunk, _ raw: Frame) {
    guard let speaker = Speaker(chunk.attendee), raw.count == Int(chunk.samples) * 2,
      chunk.samples <= Self.longest * Int(SpeechTimeline.samplesPerMillisecond),
      chunk.startMs < EngineLimits.samples
    else { return nil }
    self.init(
      speaker: speaker, start: chunk.startMs, samples: raw.pcm, lost: UInt64(chunk.lostMs),
      isLast: chunk.isLast)
  }

  /// Reads an item of media's stream: one raw frame for each chunk.
  ///
  /// - Returns: The chunks, and how many were not what they should be.
  static func read(
    _ item: V1.TalkerAudio, _ raw: [Frame]
  ) -> (chunks: [Transcriptions.Chunk], malformed: Int) {
    guard item.chunks.count == raw.count else { return ([], item.chunks.count) }
    let chunks = zip(item.chunks, raw).compactMap { Transcriptions.Chunk($0, $1) }
    return (chunks, raw.count - chunks.count)
  }
}

extension Speaker {
  init?(_ info: V1.AttendeeInfo?) {
    guard let info, let id = try? ParticipantID(info.attendeeID),
      let externalUserID = try? ExternalUserID(info.externalUserID)
    else { return nil }
    self.init(id: id, externalUserID: externalUserID)
  }
}

extension Frame {
  /// A frame of these samples, 16 bits each, little-endian.
  init(pcm samples: [Int16]) {
    self.init(size: samples.count * 2) { output in
      for sample in samples {
        output.append(UInt8(truncatingIfNeeded: sample))
        output.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    }
  }

  /// The samples in it, 16 bits each, little-endian; a byte too many does not count.
  var pcm: [Int16] {
    let bytes = self.bytes
    return (0..<bytes.count / 2).map { index in
      Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
    }
  }
}
