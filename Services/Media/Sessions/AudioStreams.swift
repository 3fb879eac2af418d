import Opus
import RTP

/// The two audio streams of one session: the stream that it sends, and its mix.
///
/// A value without a clock or a socket. RTCP carries their statistics (RFC 3550, section 6). A
/// receiver report on the sent stream gives the client its loss and round trip. A sender report on
/// the mix makes the client answer with those of the mix.
struct AudioStreams {
  /// The SSRC of the mix that the session gets.
  let receiveSSRC: UInt32

  /// The reception of the stream that the client sends.
  private(set) var reception = ReceptionStatistics(clockRate: 48_000)

  /// The round trip to its client, in microseconds; `nil` until it is known.
  private(set) var roundTrip: Int64?

  /// The part of the mix that its client lost since the previous report, 0-1; `nil` before a
  /// report.
  private(set) var mixLoss: Double?

  /// Packets of the mix that its client reports as lost; never more than were sent.
  private(set) var mixLost = 0

  /// The interarrival jitter of the mix at its client, in microseconds; `nil` before a report.
  private(set) var mixJitterUs: Int64?

  private var sequence: SequenceNumber
  private var lastTimestamp: UInt32 = 0
  /// Packets of the mix that were sent.
  private(set) var sentPackets: UInt32 = 0
  private var sentBytes: UInt32 = 0
  private var receivedBytes = 0

  init(receiveSSRC: UInt32, sequence: SequenceNumber) {
    (self.receiveSSRC, self.sequence) = (receiveSSRC, sequence)
  }

  /// Counts a packet that arrived from the client.
  mutating func receive(_ packet: RTPPacket, size: Int, at now: MediaTime) {
    receivedBytes += size
    reception.receive(packet.sequence, timestamp: packet.timestamp, at: now)
  }

  /// Returns the header values of the next packet of the mix.
  mutating func next(timestamp: UInt32, payloadBytes: Int) -> RTPPatch {
    defer { sequence = sequence.advanced(by: 1) }
    lastTimestamp = timestamp
    sentPackets &+= 1
    sentBytes &+= UInt32(truncatingIfNeeded: payloadBytes)
    return RTPPatch(sequence: sequence, timestamp: timestamp, ssrc: receiveSSRC)
  }

  /// Takes the client's sender report, which has the timing of its audio stream.
  mutating func receive(_ report: SenderReport, at now: MediaTime) {
    reception.receive(report, at: now)
  }

  /// Takes the client's report on the reception of the mix.
  mutating func receive(_ block: ReportBlock, at now: NTPTime) {
    mixLoss = Double(block.fractionLost) / 256
    mixLost = min(max(Int(block.cumulativeLost), 0), Int(sentPackets))
    mixJitterUs = Int64(block.jitter) * 1_000_000 / Int64(reception.clockRate)
    roundTrip = NTPTime.roundTrip(block, at: now) ?? roundTrip
  }

  /// Writes the report that is due once a second.
  ///
  /// Writes nothing if no packet was exchanged.
  ///
  /// - Parameter sendSSRC: The SSRC of the stream that the client sends.
  mutating func report(
    to writer: inout RTCPWriter, sendSSRC: UInt32, at now: MediaTime, time: NTPTime
  ) {
    let blocks =
      reception.received > 0 ? [reception.takeReport(ssrc: sendSSRC, at: now)] : []
    if sentPackets > 0 {
      writer.addSenderReport(
        SenderReport(
          ssrc: receiveSSRC, time: time, timestamp: lastTimestamp, packets: sentPackets,
          payloadBytes: sentBytes), reports: blocks.span)
    } else if !blocks.isEmpty {
      writer.addReceiverReport(sender: receiveSSRC, reports: blocks.span)
    }
  }

  /// Returns the number of bytes that arrived since the last call.
  mutating func takeReceivedBytes() -> Int {
    defer { receivedBytes = 0 }
    return receivedBytes
  }
}
