import LocalInstallation
import Testing

@testable import CLI
@testable import Output

/// Tests of the findings that the doctor derives from media's metrics about browsers.
@Suite struct DoctorBrowsersTests {
  /// - Parameters:
  ///   - present: The number of browser sessions.
  ///   - completed: The number of completed handshakes, in addition to one abandoned handshake.
  private func finding(_ present: Int, checks: Int, completed: Int) -> String {
    let reading = MetricsReading(
      """
      # TYPE carillon_media_browsers gauge
      carillon_media_browsers \(present)
      carillon_media_ice_checks_total \(checks)
      carillon_media_dtls_handshakes_total{outcome="abandoned"} 1
      carillon_media_dtls_handshakes_total{outcome="completed"} \(completed)
      """)
    return Finding(.browsers, "media-a", Doctor.browsers(in: reading)).text(.plain)
  }

  @Test func `the finding about unreachable browsers names the flags for port and address`() {
    let text = finding(2, checks: 0, completed: 0)
    #expect(text.contains("2 browsers joined, but none of their datagrams arrived"))
    #expect(text.contains("--udp-port") && text.contains("--public-address"))
  }

  @Test func `a finding reports that no browser completed a DTLS handshake`() {
    let text = finding(2, checks: 40, completed: 0)
    #expect(text.hasPrefix("FAILED") && text.contains("none completed a DTLS handshake"))
  }

  @Test(arguments: [(0, 0, 0), (0, 10, 3), (2, 10, 2)])
  func `the check of browsers passes if handshakes completed or no browser is present`(
    present: Int, checks: Int, completed: Int
  ) {
    #expect(finding(present, checks: checks, completed: completed).hasPrefix("ok"))
  }
}
