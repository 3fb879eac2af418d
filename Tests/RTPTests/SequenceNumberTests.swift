import RTP
import Testing

@Suite struct SequenceNumberTests {
  @Test(arguments: [(0, 1, 1), (65_535, 0, 1), (0, 65_535, -1), (10, 10, 0), (1, 32_769, -32_768)])
  func `the distance between two sequence numbers is measured in the shorter direction`(
    from: UInt16, to: UInt16, distance: Int
  ) {
    #expect(SequenceNumber(from).distance(to: SequenceNumber(to)) == distance)
    #expect(SequenceNumber(from).advanced(by: distance) == SequenceNumber(to))
  }

  @Test func `numbers are unwrapped relative to the highest number so far`() {
    var unwrapper = SequenceUnwrapper()
    let numbers: [UInt16] = [65_534, 65_535, 1, 0, 65_533, 2]
    #expect(
      numbers.map { unwrapper.unwrap(SequenceNumber($0)) }
        == [65_534, 65_535, 65_537, 65_536, 65_533, 65_538])
  }

  @Test func `a number that precedes the first number is unwrapped to a lower number`() {
    var unwrapper = SequenceUnwrapper()
    #expect(unwrapper.unwrap(SequenceNumber(0)) == 0)
    #expect(unwrapper.unwrap(SequenceNumber(65_535)) == -1)
    #expect(unwrapper.highest == 0)
  }
}
