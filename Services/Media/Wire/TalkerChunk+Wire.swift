import Bus
import MeetingModel
import Wire
import ZeroMQ

extension TalkerFeedSettings {
  /// Reads a request.
  ///
  /// - Throws: ``MediaError/malformed(field:rule:)`` for an invalid field.
  init(_ request: V1.StreamTalkersRequest) throws(MediaError) {
    try self.init(
      id: request.streamID, credit: Int(request.credit), chunkMs: Int(request.chunkMs),
      waitingMs: Int(request.maxWaitingMs))
  }
}

extension ServerStream<V1.TalkerAudio> {
  /// Sends chunks, each with its samples in a raw frame.
  func send(_ chunks: [TalkerChunk]) {
    send(
      V1.TalkerAudio(chunks: chunks.map { V1.TalkerChunk($0) }),
      raw: chunks.map { MessageFrame(littleEndian: $0.samples) })
  }
}

extension V1.TalkerChunk {
  fileprivate init(_ chunk: TalkerChunk) {
    self.init(
      attendee: V1.AttendeeInfo(chunk.speaker), sequence: chunk.sequence, startMs: chunk.start,
      samples: UInt32(clamping: chunk.samples.count), lostMs: UInt32(clamping: chunk.lost),
      isLast: chunk.isLast)
  }
}

extension MessageFrame {
  /// Creates a frame of samples with 16 bits each.
  fileprivate init(littleEndian samples: [Int16]) {
    self.init(size: samples.count * 2) { output in
      for sample in samples {
        output.append(UInt8(truncatingIfNeeded: sample))
        output.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    }
  }
}
