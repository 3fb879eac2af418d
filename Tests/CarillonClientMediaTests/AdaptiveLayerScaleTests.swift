import Testing

@testable import CarillonClientMedia

@Suite struct AdaptiveLayerScaleTests {
  private var scale = AdaptiveLayerScale()
  private var now: Int64 = 0

  /// Adds 20 frames per second for some seconds. One in `every` frames counts as dropped.
  private mutating func pass(
    _ seconds: Double, leavingOutEvery every: Int? = nil, bytes: Int = 1_000, rate: Int = 200_000
  ) {
    for frame in 0..<Int(seconds * 20) {
      let isLeftOut = every.map { frame % $0 == 0 } ?? false
      scale.take(now, bytes: isLeftOut ? nil : bytes, bitsPerSecond: rate)
      now += 4_500
    }
  }

  @Test mutating func `the scale keeps the size of pictures while few frames are dropped`() {
    pass(30)
    pass(30, leavingOutEvery: 10)
    #expect(scale.eighths == 8)
  }

  @Test mutating func `pictures keep their size if the encoder omits frames briefly`() {
    pass(1, leavingOutEvery: 1)
    pass(1)
    pass(1, leavingOutEvery: 1)
    pass(1)
    #expect(scale.eighths == 8)
  }

  @Test mutating func `pictures are not reduced in the first two seconds of a new encoder`() {
    pass(2, leavingOutEvery: 2)
    pass(20)
    #expect(scale.eighths == 8)
  }

  @Test mutating func `pictures become smaller in two steps while frames are dropped`() {
    pass(2)
    pass(1.4, leavingOutEvery: 2)
    #expect(scale.eighths == 8)
    pass(0.4, leavingOutEvery: 2)
    #expect(scale.eighths == 6)
    pass(2, leavingOutEvery: 2)
    #expect(scale.eighths == 4)
    pass(20, leavingOutEvery: 2)
    #expect(scale.eighths == 4)
  }

  @Test mutating func `a higher bitrate makes the pictures larger`() {
    pass(6, leavingOutEvery: 2)
    pass(9, rate: 250_000)
    #expect(scale.eighths == 4)
    pass(1.2, rate: 270_000)
    #expect(scale.eighths == 8)
  }

  @Test mutating func `pictures regain their size ten seconds after a short reduction`() {
    pass(2)
    pass(2, leavingOutEvery: 2)
    pass(9)
    #expect(scale.eighths == 6)
    pass(2)
    #expect(scale.eighths == 8)
  }

  @Test
  mutating func
    `the sender enlarges simple pictures again, and waits longer after a failed enlargement`()
  {
    func smaller(_ test: inout Self) { test.pass(2, leavingOutEvery: 2) }
    pass(2)
    smaller(&self)
    pass(4, bytes: 400)
    #expect(scale.eighths == 6)
    pass(2, bytes: 400)
    #expect(scale.eighths == 8)
    // At the full size, the encoder drops frames again, so the sender waits longer before its next
    // attempt.
    smaller(&self)
    pass(6, bytes: 400)
    #expect(scale.eighths == 6)
    pass(5, bytes: 400)
    #expect(scale.eighths == 8)
  }
}
