import RTP
import ServiceHost
import Testing

@testable import Media

@Suite struct BrowserAudioStatisticsTests {
  private static func figures(
    packets: Int, lost: Int, replays: UInt64 = 0, forgeries: UInt64 = 0
  ) -> BrowserAudioStatistics {
    BrowserAudioStatistics(
      uplink: .init(packets: packets, lost: lost, jitterUs: 2_000),
      downlink: .init(packets: packets, lost: lost), concealed: lost, roundTripUs: 30_000,
      replays: replays, forgeries: forgeries)
  }

  private static func streams(afterSending packets: Int) -> AudioStreams {
    var streams = AudioStreams(receiveSSRC: 7, sequence: SequenceNumber(0))
    for number in 0..<packets { _ = streams.next(timestamp: UInt32(number), payloadBytes: 3) }
    return streams
  }

  @Test func `the sums grow by the increase of each browser's figures`() {
    let counters = BrowserAudioMetrics(in: MetricsRegistry())
    let first = Self.figures(packets: 50, lost: 2, replays: 1)
    counters.count(first.since(BrowserAudioStatistics()))
    counters.count(Self.figures(packets: 100, lost: 5, replays: 1, forgeries: 4).since(first))
    #expect(counters.packets[.uplink].value == 100 && counters.lost[.uplink].value == 5)
    #expect(counters.packets[.downlink].value == 100 && counters.lost[.downlink].value == 5)
    #expect(counters.replays.value == 1 && counters.forgeries.value == 4)
    #expect(counters.jitter[.uplink].count == 2 && counters.jitter[.downlink].count == 0)
    #expect(counters.roundTrip.count == 2)
  }

  @Test func `a browser that restarts its figures at 0 does not lower the sums`() {
    let counters = BrowserAudioMetrics(in: MetricsRegistry())
    let former = Self.figures(packets: 100, lost: 5, replays: 3, forgeries: 3)
    counters.count(Self.figures(packets: 10, lost: 1).since(former))
    #expect(counters.packets[.uplink].value == 0 && counters.lost[.downlink].value == 0)
    #expect(counters.replays.value == 0 && counters.forgeries.value == 0)
  }

  @Test(arguments: [(Int32(-4), 0), (3, 3), (.max, 10)])
  func `a browser cannot report more lost packets than media sent`(
    reported: Int32, counted: Int
  ) {
    var streams = Self.streams(afterSending: 10)
    streams.receive(
      ReportBlock(ssrc: 7, cumulativeLost: reported, jitter: 480), at: NTPTime(rawValue: 0))
    #expect(streams.mixLost == counted && streams.mixJitterUs == 10_000)
  }

  @Test func `a log line contains the name and unit of each figure`() {
    var figures = Self.figures(packets: 50, lost: 2, forgeries: 1)
    figures.roundTripUs = 12_340
    let line = figures.metadata.mapValues { "\($0)" }
    #expect(line["round_trip"] == "12.3 ms" && line["uplink.jitter"] == "2.0 ms")
    #expect(line["uplink.concealed"] == "40.0 ms" && line["uplink.lost"] == "2")
    #expect(line["srtp.forgeries"] == "1" && line["downlink.jitter"] == nil)
  }
}
