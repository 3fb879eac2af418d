import Opus
import RTP

/// The two audio streams of one session: the stream that the client sends, and the mix for the
/// client.
///
/// This value type uses no clock and no socket. RTCP carries the streams' statistics (RFC 3550,
/// section 6). A receiver report on the sent stream gives the client the loss and the round trip of
/// this stream. The client answers a sender report on the mix with the loss and the round trip of
/// the mix.
struct AudioStreams {
  /// The SSRC of the mix for the session.
  let receiveSSRC: UInt32

  /// The reception statistics of the stream that the client sends.
  private(set) var reception = ReceptionStatistics(clockRate: 48_000)

  /// The round-trip time to the client, in microseconds; `nil` before the first measurement.
  private(set) var roundTrip: Int64?

  /// The share of the mix that the client lost since its previous report, 0-1; `nil` before a
  /// report.
  private(set) var mixLoss: Double?

  /// The loss of the mix that the next packets should protect against, in percent.
  ///
  /// The value rises with the first report of a higher loss, and falls over several reports. The
  /// value is a multiple of 5, so that the encoder's mode changes rarely.
  var expectedLoss: Int {
    guard protectedLoss >= Self.leastLoss else { return 0 }
    return min(Self.mostExpectedLoss, Int((protectedLoss * 20).rounded(.up)) * 5)
  }

  private var protectedLoss = 0.0
  private static let leastLoss = 0.01
  private static let mostExpectedLoss = 25
  /// The weight of a new report with a lower loss.
  private static let recovery = 0.25

  /// The number of lost packets of the mix in the client's reports; at most the number of sent
  /// packets.
  private(set) var mixLost = 0

  /// The interarrival jitter of the mix at the client, in microseconds; `nil` before a report.
  private(set) var mixJitterUs: Int64?

  private var sequence: SequenceNumber
  private var lastTimestamp: UInt32 = 0
  /// The number of sent packets of the mix.
  private(set) var sentPackets: UInt32 = 0
  private var sentBytes: UInt32 = 0
  private var receivedBytes = 0

  init(receiveSSRC: UInt32, sequence: SequenceNumber) {
    (self.receiveSSRC, self.sequence) = (receiveSSRC, sequence)
  }

  /// Counts a packet that arrived from the client.
  mutating func receive(_ packet: RTPPacket, size: Int, at now: MonotonicTime) {
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

  /// Records the client's sender report, which contains the timing of the client's audio stream.
  mutating func receive(_ report: SenderReport, at now: MonotonicTime) {
    reception.receive(report, at: now)
  }

  /// Records the client's report on its reception of the mix.
  mutating func receive(_ block: ReportBlock, at now: NTPTime) {
    let loss = Double(block.fractionLost) / 256
    mixLoss = loss
    protectedLoss = max(loss, protectedLoss + (loss - protectedLoss) * Self.recovery)
    mixLost = min(max(Int(block.cumulativeLost), 0), Int(sentPackets))
    mixJitterUs = Int64(block.jitter) * 1_000_000 / Int64(reception.clockRate)
    roundTrip = NTPTime.roundTrip(block, at: now) ?? roundTrip
  }

  /// Writes an RTCP report. Writes nothing if neither side has sent a packet.
  ///
  /// - Parameter sendSSRC: The SSRC of the stream that the client sends.
  mutating func report(
    to writer: inout RTCPWriter, sendSSRC: UInt32, at now: MonotonicTime, time: NTPTime
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
