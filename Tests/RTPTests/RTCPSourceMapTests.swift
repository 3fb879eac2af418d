import RTP
import Testing

@Suite("SSRCs in RTCP")
struct RTCPSourceMapTests {
  private static let (old, new, other): (UInt32, UInt32, UInt32) = (0xAABB_CCDD, 0x1122_3344, 7)

  private static func compound(of ssrc: UInt32) -> [UInt8] {
    var writer = RTCPWriter()
    let blocks = [other, ssrc].map { ReportBlock(ssrc: $0) }
    let report = SenderReport(
      ssrc: ssrc, time: NTPTime(rawValue: 1), timestamp: 2, packets: 3, payloadBytes: 4)
    writer.addSenderReport(report, reports: blocks.span)
    writer.addReceiverReport(sender: other, reports: blocks.span)
    writer.addNack(sender: other, media: ssrc, missing: [SequenceNumber(9)].span)
    writer.addEstimate(sender: other, source: ssrc, bitsPerSecond: 300_000)
    writer.addBye(ssrc)
    return writer.bytes
  }

  private static func renamed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var span = bytes.mutableSpan
    RTCPSourceMap.rename(old, to: new, in: &span, count: span.count)
    return bytes
  }

  @Test("the map replaces the SSRC in reports, feedback and byes, and replaces no other SSRC")
  func changesEverywhere() {
    #expect(Self.renamed(Self.compound(of: Self.old)) == Self.compound(of: Self.new))
    #expect(Self.renamed(Self.compound(of: Self.other)) == Self.compound(of: Self.other))
  }

  @Test("the map of sources survives truncated packets", arguments: 0..<144)
  func endsWithTheBytes(count: Int) {
    let cut = Array(Self.compound(of: Self.old).prefix(count))
    #expect(Self.renamed(cut).count == cut.count)
  }
}
