/// The arrival times of a connection's packets by transport-wide number, for feedback to the sender
/// of these packets.
///
/// The format is draft-holmer-rmcat-transport-wide-cc-extensions-01. The log reports a skipped
/// number as missing. If the skipped packet arrives late, the log reports this packet and all later
/// packets again. The log allocates nothing in the steady state.
public struct TransportArrivalLog: Sendable {
  /// The number of packets, counted back from the newest packet, that a feedback message can
  /// report.
  static let window = 512

  private var packets: [(number: Int64, at: Int64)] = []
  private var unwrapper = SequenceUnwrapper()

  /// The lowest number that arrived since the last feedback message; `nil` if no packet arrived.
  private var lowestFresh: Int64?

  /// The number that follows the last number in the previous feedback message.
  private var next: Int64?
  private var reports: UInt8 = 0
  private var symbols: [TransportFeedback.Symbol] = []

  /// The number of packets that arrived since the last feedback message.
  public private(set) var freshPackets = 0

  /// Creates an empty log.
  public init() {}

  /// Records the arrival of a packet.
  public mutating func receive(_ sequence: SequenceNumber, at now: MonotonicTime) {
    if packets.isEmpty { packets = Array(repeating: (-1, 0), count: Self.window) }
    let number = unwrapper.peek(sequence)
    if let highest = unwrapper.highest {
      guard number > highest - Int64(Self.window), number >= 0 else { return }
      // The log reports a duplicate packet with the time of the packet's first arrival.
      guard packets[place(number)].number != number else { return }
    }
    _ = unwrapper.unwrap(sequence)
    packets[place(number)] = (number, now.microseconds)
    lowestFresh = lowestFresh.map { min($0, number) } ?? number
    freshPackets += 1
  }

  /// Writes a feedback message on the packets that arrived since the last feedback message. Writes
  /// nothing if no packet arrived.
  ///
  /// Packets that do not fit, and packets after a gap of more than 8 s, follow in the next feedback
  /// message. In both cases ``freshPackets`` remains above zero.
  ///
  /// - Parameters:
  ///   - sender: The SSRC of the receiver.
  ///   - media: An SSRC of the packets' sender.
  ///   - limit: The maximum number of bytes of the feedback message, at least 40.
  public mutating func takeFeedback(
    sender: UInt32, media: UInt32, within limit: Int, into writer: inout RTCPWriter
  ) {
    guard let fresh = lowestFresh, let highest = unwrapper.highest else { return }
    // The feedback includes the missing numbers since the last feedback message.
    let oldest = highest - Int64(Self.window) + 1
    let base = max(oldest, min(fresh, next ?? fresh))
    guard let earliest = firstArrival(from: max(oldest, fresh), to: highest) else {
      return forgetFresh()
    }
    let reference = earliest / TransportFeedback.referenceUs
    let header = writer.beginTransportFeedback(sender: sender, media: media, first: base)
    let count = chooseSymbols(
      from: base, to: highest, after: reference * TransportFeedback.referenceUs,
      within: limit - TransportFeedback.fixedBytes)
    writer.setTransportFeedback(header, count: count, reference: reference, number: reports)
    writer.addSymbols(symbols.span)
    addDeltas(from: base, after: reference * TransportFeedback.referenceUs, to: &writer)
    writer.endTransportFeedback(header)
    reports &+= 1
    settle(behind: base + Int64(count), highest)
  }

  private func place(_ number: Int64) -> Int { Int(number & Int64(Self.window - 1)) }

  private func arrival(of number: Int64) -> Int64? {
    let packet = packets[place(number)]
    return packet.number == number ? packet.at : nil
  }

  private func firstArrival(from first: Int64, to last: Int64) -> Int64? {
    for offset in 0..<Int(last - first + 1) {
      if let time = arrival(of: first + Int64(offset)) { return time }
    }
    return nil
  }

  /// Chooses the symbols of the packets from `base` on, until a delta exceeds two bytes or the
  /// report is full.
  ///
  /// - Returns: The number of reported packets, at least one.
  private mutating func chooseSymbols(
    from base: Int64, to highest: Int64, after start: Int64, within limit: Int
  ) -> Int {
    symbols.removeAll(keepingCapacity: true)
    var (last, deltaBytes) = (start / TransportFeedback.tickUs, 0)
    for offset in 0..<Int(highest - base + 1) {
      var symbol = TransportFeedback.Symbol.missing
      if let time = arrival(of: base + Int64(offset)) {
        let delta = time / TransportFeedback.tickUs - last
        guard let needed = TransportFeedback.Symbol(for: delta) else { break }
        symbol = needed
        last += delta
      }
      // Chunks use at most two bits per packet.
      let chunkBytes = (symbols.count + 7) / 7 * 2
      guard symbols.isEmpty || chunkBytes + deltaBytes + symbol.byteCount <= limit else { break }
      deltaBytes += symbol.byteCount
      symbols.append(symbol)
    }
    return symbols.count
  }

  private func addDeltas(from base: Int64, after start: Int64, to writer: inout RTCPWriter) {
    var last = start / TransportFeedback.tickUs
    for index in symbols.indices {
      guard let time = arrival(of: base + Int64(index)) else { continue }
      let tick = time / TransportFeedback.tickUs
      writer.addDelta(tick - last, as: symbols[index])
      last = tick
    }
  }

  /// Removes the reported packets from the next feedback message.
  private mutating func settle(behind end: Int64, _ highest: Int64) {
    next = end
    (lowestFresh, freshPackets) = (nil, 0)
    guard end <= highest else { return }
    for offset in 0..<Int(highest - end + 1) where arrival(of: end + Int64(offset)) != nil {
      lowestFresh = lowestFresh ?? end + Int64(offset)
      freshPackets += 1
    }
  }

  private mutating func forgetFresh() { (lowestFresh, freshPackets) = (nil, 0) }
}

extension TransportFeedback {
  /// The size of a feedback message without chunks and deltas, padding included.
  static let fixedBytes = 23
}

extension TransportFeedback.Symbol {
  /// Chooses the shortest symbol for a delta in ticks; `nil` if no symbol is large enough.
  init?(for delta: Int64) {
    switch delta {
    case 0...255: self = .smallDelta
    case Int64(Int16.min)...Int64(Int16.max): self = .largeDelta
    default: return nil
    }
  }
}

extension RTCPWriter {
  /// Begins a transport feedback message (draft-holmer-rmcat-transport-wide-cc-extensions-01,
  /// section 3.1).
  mutating func beginTransportFeedback(sender: UInt32, media: UInt32, first: Int64) -> Int {
    let start = begin(RTCPType.applicationLayer, RTCPType.transportFeedback)
    bytes.append(networkOrder: sender)
    bytes.append(networkOrder: media)
    bytes.append(networkOrder: UInt16(truncatingIfNeeded: first))
    // The caller fills in the count, the reference time and the feedback's number later.
    for _ in 0..<6 { bytes.append(0) }
    return start
  }

  mutating func setTransportFeedback(
    _ start: Int, count: Int, reference: Int64, number: UInt8
  ) {
    let place = start + 14
    bytes[place] = UInt8(truncatingIfNeeded: count >> 8)
    bytes[place + 1] = UInt8(truncatingIfNeeded: count)
    for byte in 0..<3 {
      bytes[place + 2 + byte] = UInt8(truncatingIfNeeded: reference >> Int64(16 - 8 * byte))
    }
    bytes[place + 5] = number
  }

  /// Adds the chunks for a list of symbols.
  mutating func addSymbols(_ symbols: Span<TransportFeedback.Symbol>) {
    var index = 0
    while index < symbols.count {
      let run = Self.run(of: symbols, from: index)
      if run >= 14 || index + run == symbols.count {
        bytes.append(networkOrder: UInt16(symbols[index].rawValue) << 13 | UInt16(run))
        index += run
      } else {
        index += addVector(symbols, from: index)
      }
    }
  }

  /// Returns how many equal symbols follow one another from an index, up to the limit of a chunk.
  private static func run(of symbols: Span<TransportFeedback.Symbol>, from index: Int) -> Int {
    var end = index
    while end < symbols.count, symbols[end] == symbols[index], end - index < 0x1FFF { end += 1 }
    return end - index
  }

  /// Adds a chunk that lists individual symbols.
  ///
  /// - Returns: The number of symbols in the chunk.
  private mutating func addVector(
    _ symbols: Span<TransportFeedback.Symbol>, from index: Int
  ) -> Int {
    let most = min(14, symbols.count - index)
    var needsTwoBits = false
    for offset in 0..<most where symbols[index + offset] == .largeDelta { needsTwoBits = true }
    let count = needsTwoBits ? min(7, most) : most
    var word: UInt16 = needsTwoBits ? 0xC000 : 0x8000
    for offset in 0..<count {
      let symbol = UInt16(symbols[index + offset].rawValue)
      word |= symbol << UInt16(needsTwoBits ? 12 - 2 * offset : 13 - offset)
    }
    bytes.append(networkOrder: word)
    return count
  }

  mutating func addDelta(_ delta: Int64, as symbol: TransportFeedback.Symbol) {
    if symbol == .smallDelta {
      bytes.append(UInt8(truncatingIfNeeded: delta))
    } else {
      bytes.append(networkOrder: UInt16(truncatingIfNeeded: delta))
    }
  }

  /// Ends the feedback message that began at `start`, and pads the message to a whole word.
  mutating func endTransportFeedback(_ start: Int) {
    let padding = -(bytes.count - start) & 3
    for byte in 0..<padding { bytes.append(byte == padding - 1 ? UInt8(padding) : 0) }
    if padding > 0 { bytes[start] |= 0x20 }
    end(start)
  }
}
