import RTP

/// A sender, a link, and a listener that pulls every 20 ms, in simulated time.
struct JitterLink {
  var buffer = JitterBuffer()
  /// The numbers of the played packets. These are the numbers that the calls of `send` passed in.
  var played: [Int] = []
  /// The packets whose copies the buffer played.
  var recoveredFrom: [Int] = []
  /// The number of ticks without a packet or concealment.
  var silentTicks = 0
  /// The number of concealed packets.
  var concealed = 0
  /// The time from sending to playing of each packet, in microseconds.
  var delays: [Int64] = []

  private struct Packet {
    var number: Int
    var recordedAt: Int
    var arrival: Int64
    var hasRedundancy: Bool
    var copies: [Int]
  }

  private let period: Int64
  private let sampleCount: Int
  private let firstSequence: UInt16
  private let firstTimestamp: UInt32
  private var packets: [Packet] = []
  private var sentAt: [Int: Int64] = [:]
  private var ticks: Int64 = 0
  private var owed = 0

  init(
    period: Int64 = 20_000, sampleCount: Int = 960, firstSequence: UInt16 = 100,
    firstTimestamp: UInt32 = 5_000
  ) {
    self.period = period
    self.sampleCount = sampleCount
    self.firstSequence = firstSequence
    self.firstTimestamp = firstTimestamp
  }

  /// - Parameters:
  ///   - recordedAt: The timestamp, in units of a packet's duration; `nil` if the timestamp equals
  ///     the number.
  ///   - at: The send time, in units of a packet's duration; `nil` if the send time equals the
  ///     timestamp.
  ///   - delay: The delay of the link, in microseconds.
  ///   - copies: The distances of the earlier packets whose copies this packet contains.
  mutating func send(
    _ number: Int, recordedAt: Int? = nil, at sentAt: Int? = nil, delay: Int64 = 0,
    hasRedundancy: Bool = false, copies: [Int] = []
  ) {
    let recordedAt = recordedAt ?? number
    let time = Int64(sentAt ?? recordedAt) * period
    self.sentAt[number] = time
    packets.append(
      Packet(
        number: number, recordedAt: recordedAt,
        arrival: time + delay, hasRedundancy: hasRedundancy, copies: copies))
  }

  /// Runs ticks. Each tick is 3 ms after a multiple of 20 ms. Packets without delay arrive at these
  /// multiples.
  mutating func run(ticks count: Int) {
    packets.sort { ($0.arrival, $0.number) < ($1.arrival, $1.number) }
    for _ in 0..<count {
      let now = ticks * 20_000 + 3_000
      deliver(until: now)
      tick(MonotonicTime(microseconds: now))
      ticks += 1
    }
  }

  private mutating func deliver(until now: Int64) {
    let due = packets.prefix { $0.arrival <= now }
    for packet in due {
      _ = buffer.put(
        bytes(packet.number).span, sequence: sequence(packet.number),
        timestamp: timestamp(packet.recordedAt),
        sampleCount: sampleCount, arrival: MonotonicTime(microseconds: packet.arrival),
        hasRedundancy: packet.hasRedundancy)
      for distance in packet.copies { putCopy(packet.number - distance, with: packet) }
    }
    packets.removeFirst(due.count)
  }

  private mutating func putCopy(_ number: Int, with packet: Packet) {
    let distance = packet.number - number
    _ = buffer.putCopy(
      bytes(number).span, sequence: sequence(number),
      timestamp: timestamp(packet.recordedAt - distance), sampleCount: sampleCount,
      arrival: MonotonicTime(microseconds: packet.arrival))
  }

  private func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  private func sequence(_ number: Int) -> SequenceNumber {
    SequenceNumber(UInt16(truncatingIfNeeded: Int(firstSequence) + number))
  }

  private func timestamp(_ recordedAt: Int) -> UInt32 {
    firstTimestamp &+ UInt32(truncatingIfNeeded: recordedAt * sampleCount)
  }

  private mutating func tick(_ now: MonotonicTime) {
    owed += 960
    while owed > 0 {
      switch buffer.pull(at: now) {
      case .packet(let packet):
        note(packet, now)
        owed -= packet.sampleCount
      case .shortened(let packet):
        note(packet, now)
      case .redundancy(let packet, let sampleCount):
        recoveredFrom.append(number(of: packet))
        owed -= sampleCount
      case .concealment(let sampleCount):
        concealed += 1
        owed -= sampleCount
      case .nothing:
        silentTicks += 1
        owed = 0
      }
    }
  }

  private mutating func note(_ packet: PlayoutInstruction.Packet, _ now: MonotonicTime) {
    let number = number(of: packet)
    played.append(number)
    delays.append(now.microseconds - (sentAt[number] ?? 0))
  }

  private func number(of packet: PlayoutInstruction.Packet) -> Int {
    buffer.withPayload(of: packet) { bytes in
      bytes.indices.reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    }
  }
}
