import RTP
import TestSupport
import Testing

@Suite struct ReorderBufferTests {
  /// Inserts a packet whose only content is its place in the stream.
  private func insert(
    _ place: Int, _ sequence: UInt16, into buffer: inout ReorderBuffer, at now: MonotonicTime
  ) {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: place >> (8 * $0)) }
    buffer.insert(SequenceNumber(sequence), bytes.span, at: now)
  }

  /// The next item of a buffer.
  private enum Item: Hashable {
    /// A packet, by its place in the stream.
    case packet(Int)
    case gap
  }

  private func take(_ buffer: inout ReorderBuffer, at now: MonotonicTime) -> [Item] {
    var items: [Item] = []
    while let step = buffer.step(at: now) {
      switch step {
      case .packet(let slot):
        var place = 0
        buffer.withPacket(slot) { bytes in
          for index in 0..<4 { place |= Int(bytes[index]) << (8 * index) }
        }
        items.append(.packet(place))
      case .gap: items.append(.gap)
      }
    }
    return items
  }

  @Test(arguments: [
    1, 15, 16, 17, 31, 32, 33, 100, 2_999, 3_000, 3_001, 20_000, 32_767, 32_768, 40_000, 62_000,
  ])
  func `a jump of the sequence numbers is a gap between two packets`(jump: Int) {
    var buffer = ReorderBuffer(capacity: 16, timeout: .milliseconds(50))
    var now = MonotonicTime(microseconds: 1_000_000)
    var items: [Item] = []
    for place in 0..<40 {
      let number = 65_500 + place + (place < 20 ? 0 : jump)
      insert(place, UInt16(truncatingIfNeeded: number), into: &buffer, at: now)
      items += take(&buffer, at: now)
      now = now.advanced(byUs: 10_000)
    }
    now = now.advanced(byUs: 100_000)
    items += take(&buffer, at: now)
    // The buffer may report the missing packets in several steps.
    items = items.enumerated().filter { index, item in
      item != .gap || index == 0 || items[index - 1] != .gap
    }.map(\.element)
    let packets = (0..<40).map { Item.packet($0) }
    #expect(items == packets.prefix(20) + [.gap] + packets.suffix(20))
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `packets without a gap between them are consecutive`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buffer = ReorderBuffer(capacity: 16, timeout: .milliseconds(50))
    var now = MonotonicTime(microseconds: 1_000_000)
    var number = Int.random(in: 0...65_535, using: &random)
    // A place grows with each sequence number, so consecutive packets have consecutive places.
    var (place, waiting): (Int, [(place: Int, number: Int)]) = (0, [])
    var items: [Item] = []
    for _ in 0..<2_000 {
      let step =
        switch Int.random(in: 0..<40, using: &random) {
        case 0: Int.random(in: 1...60_000, using: &random)
        case 1, 2: Int.random(in: 1...40, using: &random)
        default: 1
        }
      place += step
      number += step
      waiting.append((place, number))
      if waiting.count > Int.random(in: 0...6, using: &random) {
        waiting.shuffle(using: &random)
        for packet in waiting {
          insert(
            packet.place, UInt16(truncatingIfNeeded: packet.number), into: &buffer, at: now)
          if Bool.random(using: &random) { items += take(&buffer, at: now) }
        }
        waiting = []
      }
      now = now.advanced(byUs: Int64.random(in: 0...20_000, using: &random))
    }
    var last: Int?
    for item in items {
      guard case .packet(let place) = item else {
        last = nil
        continue
      }
      if let last { #expect(place == last + 1) }
      last = place
    }
    #expect(items.count > 1_000)
  }
}
