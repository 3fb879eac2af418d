import Opus
import RTP

/// The two audio streams of one session: what it sends, and the mix that it gets.
///
/// A value without a clock or a socket. RTCP says how they go (RFC 3550, section 6): a receiver
/// report of what it sends, from which its client learns loss and round trip, and a sender report
/// of its mix, whose answer tells us.
struct AudioStreams {
  /// The SSRC of the mix that the session gets.
  let receiveSSRC: UInt32

  /// What it sends, as it arrives.
  private(set) var reception = ReceptionStatistics(clockRate: 48_000)

  /// Round trip to its client, in microseconds; `nil` until it is known.
  private(set) var roundTrip: Int64?

  /// What its client lost of the mix since the report before, 0-1; `nil` until it says.
  private(set) var mixLoss: Double?

  /// Packets of the mix that its client says were lost; never more than were sent.
  private(set) var mixLost = 0

  /// Interarrival jitter of the mix at its client, in microseconds; `nil` until it says.
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

  /// A packet of it arrived.
  mutating func receive(_ packet: RTPPacket, size: Int, at now: MediaTime) {
    receivedBytes += size
    reception.receive(packet.sequence, timestamp: packet.timestamp, at: now)
  }

  /// The numbers of the next packet of its mix.
  mutating func next(timestamp: UInt32, payloadBytes: Int) -> RTPPatch {
    defer { sequence = sequence.advanced(by: 1) }
    lastTimestamp = timestamp
    sentPackets &+= 1
    sentBytes &+= UInt32(truncatingIfNeeded: payloadBytes)
    return RTPPatch(sequence: sequence, timestamp: timestamp, ssrc: receiveSSRC)
  }

  /// Its client says how its audio stream is meant to be timed.
  mutating func receive(_ report: SenderReport, at now: MediaTime) {
    reception.receive(report, at: now)
  }

  /// Its client says how the mix arrives.
  mutating func receive(_ block: ReportBlock, at now: NTPTime) {
    mixLoss = Double(block.fractionLost) / 256
    mixLost = min(max(Int(block.cumulativeLost), 0), Int(sentPackets))
    mixJitterUs = Int64(block.jitter) * 1_000_000 / Int64(reception.clockRate)
    roundTrip = NTPTime.roundTrip(block, at: now) ?? roundTrip
  }

  /// Writes what it is told once a second; nothing if nothing was ever exchanged.
  ///
  /// - Parameter sendSSRC: Of what it sends.
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

  /// Bytes that arrived since the last time this was asked.
  mutating func takeReceivedBytes() -> Int {
    defer { receivedBytes = 0 }
    return receivedBytes
  }
}
