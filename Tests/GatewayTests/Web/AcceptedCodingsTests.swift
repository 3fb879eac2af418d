import Testing

@testable import Gateway

@Suite struct AcceptedCodingsTests {
  @Test(
    arguments: [
      (nil, AcceptedCodings.Coding.identity), ("", .identity), ("gzip, deflate, br", .gzip),
      ("GZIP", .gzip), ("x-gzip", .gzip), ("br", .identity), ("*", .gzip), ("*;q=0", nil),
      ("gzip;q=0", .identity), ("gzip;q=0, *", .identity), ("gzip;q=0.000", .identity),
      ("identity;q=0", nil), ("identity;q=0, br", nil), ("identity;q=0, gzip;q=0.1", .gzip),
      ("identity;q=0, *", .gzip), ("gzip;q=0.5, identity", .identity),
      ("gzip ; q=1 , identity; q=0.5", .gzip), ("gzip;q=one", .identity), ("gzip;q=-1", .identity),
      ("gzip;q=inf", .identity), ("gzip;q=1e300", .identity), (";;,,;q=", .identity),
      (String(repeating: "br,", count: 10_000) + "gzip", .identity),
    ] as [(String?, AcceptedCodings.Coding?)])
  func `files are compressed with gzip for clients that accept gzip`(
    header: String?, coding: AcceptedCodings.Coding?
  ) {
    #expect(AcceptedCodings(header).choice(compresses: true) == coding)
  }

  @Test func `a file that gzip makes larger is sent uncompressed unless identity is refused`() {
    #expect(AcceptedCodings("gzip").choice(compresses: false) == .identity)
    #expect(AcceptedCodings("gzip, identity;q=0").choice(compresses: false) == .gzip)
    #expect(AcceptedCodings("*;q=0").choice(compresses: false) == nil)
  }
}
