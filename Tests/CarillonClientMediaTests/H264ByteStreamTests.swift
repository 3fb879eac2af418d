import Testing

@testable import CarillonClientMedia

@Suite struct H264ByteStreamTests {
  @Test(
    arguments: [
      ([], []), ([1, 2, 3], []), ([0, 0, 1], []), ([0, 0, 1, 7], [[7]]),
      ([9, 0, 0, 1, 7, 0, 0, 0, 1, 8, 0, 0], [[7], [8]]),
      ([0, 0, 0, 1, 7, 0, 0, 1, 0, 0, 1, 8, 2, 0, 3], [[7], [8, 2, 0, 3]]),
      ([0, 0, 1, 7, 0, 0, 3, 1, 0, 0, 1], [[7, 0, 0, 3, 1]]),
    ] as [([UInt8], [[UInt8]])])
  func `the byte stream format is split at its start codes`(bytes: [UInt8], units: [[UInt8]]) {
    var reader = H264ByteStreamReader()
    var found: [[UInt8]] = []
    while let unit = reader.next(in: bytes.span) { found.append(Array(bytes[unit])) }
    #expect(found == units)
    let after = reader.next(in: bytes.span)
    #expect(after == nil)
  }
}
