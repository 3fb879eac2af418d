import Testing

@testable import LocalInstallation

@Suite struct MetricsReadingTests {
  private static let reading = MetricsReading(
    """
    # HELP a_total A.
    # TYPE a_total counter
    a_total{kind="x",way="in"} 3
    a_total{kind="y",way="in"} 4
    b 1.5
    c_request_duration_seconds_count{method="M/a b"} 5
    d_request_duration_seconds_count 6
    e NaN
    nonsense
    """)

  @Test func `a metric's value is the sum of its series`() {
    #expect(Self.reading["a_total"] == 7)
    #expect(Self.reading["b"] == 1.5)
    #expect(Self.reading["c_request_duration_seconds_count"] == 5)
    #expect(Self.reading["e"] == nil)
    #expect(Self.reading["nonsense"] == nil)
  }

  @Test func `a sum selects series by a label or metrics by a suffix`() {
    #expect(Self.reading.sum(of: "a_total", where: "kind", is: "y") == 4)
    #expect(Self.reading.sum(of: "a_total", where: "kind", is: "z") == nil)
    #expect(Self.reading.sum(of: "a", where: "kind", is: "y") == nil)
    #expect(Self.reading.sum(ofAllEndingIn: "_request_duration_seconds_count") == 11)
    #expect(Self.reading.sum(ofAllEndingIn: "_never") == nil)
  }
}
