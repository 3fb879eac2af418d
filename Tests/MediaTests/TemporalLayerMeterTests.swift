import RTP
import Testing

@testable import Media

@Suite struct TemporalLayerMeterTests {
  private var meter = TemporalLayerMeter()
  private var now = MonotonicTime(microseconds: 1_000_000)

  /// Receives one packet of each layer in turn, 100 ms apart.
  ///
  /// - Returns: The numbers of temporal layers, without repetitions.
  private mutating func receive(_ layers: [UInt8], times: Int) -> [Int] {
    var counts: [Int] = []
    for _ in 0..<times {
      for layer in layers {
        meter.receive(layer, at: now)
        if meter.count != counts.last { counts.append(meter.count) }
        now = now.advanced(byUs: 100_000)
      }
    }
    return counts
  }

  @Test mutating func `the number rises with the first packet of each higher temporal layer`() {
    #expect(meter.count == 1)
    let counts = receive([0, 2, 1, 2], times: 10)
    #expect(counts == [1, 3])
  }

  @Test mutating func `without its highest layer, the number falls once, to the next layer`() {
    _ = receive([0, 2, 1, 2], times: 5)
    let withTwoLayers = receive([0, 1], times: 30)
    #expect(withTwoLayers == [3, 2])
    let withOneLayer = receive([0], times: 40)
    #expect(withOneLayer == [2, 1])
    let withAllLayers = receive([0, 2, 1, 2], times: 5)
    #expect(withAllLayers == [1, 3])
  }

  @Test mutating func `an interruption of the stream does not change the number`() {
    _ = receive([0, 2, 1, 2], times: 5)
    now = now.advanced(byUs: 5_000_000)
    let afterwards = receive([0, 2, 1, 2], times: 20)
    #expect(afterwards == [3])
    now = now.advanced(byUs: 5_000_000)
    // The publisher stopped the highest layer during the interruption.
    let withTwoLayers = receive([0, 1], times: 20)
    #expect(withTwoLayers == [3, 2])
  }

  @Test mutating func `a layer that arrives at least every two seconds counts all the time`() {
    _ = receive([2], times: 1)
    let counts = receive([2] + [UInt8](repeating: 0, count: 18), times: 5)
    #expect(counts == [3])
  }

  @Test mutating func `an impossible temporal layer counts as the highest layer`() {
    let counts = receive([0, 255], times: 2)
    #expect(counts == [1, 8])
  }
}
