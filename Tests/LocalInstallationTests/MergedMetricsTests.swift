import Testing

@testable import LocalInstallation

@Suite struct MergedMetricsTests {
  @Test func `merged metrics can be split by instance again`() {
    let texts = [
      "one": "a_seconds_bucket{le=\"0.1\"} 1\na_seconds_sum 0.05\n", "two": "a_seconds_sum 2\n",
    ]
    var merged = MergedMetrics()
    for (instance, text) in texts {
      merged.add("# HELP a_seconds Time.\n# TYPE a_seconds histogram\n\(text)", of: instance)
    }
    #expect(MergedMetrics.texts(in: merged.text) == texts)
    #expect(MergedMetrics.texts(in: "a 1\nb{instance=\"x} 2\nc{instance=\"x\"y} 3\n") == [:])
  }

  @Test func `series of one metric are grouped, each with its instance`() {
    var merged = MergedMetrics()
    merged.add(
      """
      # HELP b_total What is counted.
      # TYPE b_total counter
      b_total 3
      # HELP a_seconds How long.
      # TYPE a_seconds histogram
      a_seconds_bucket{le="0.1"} 1
      a_seconds_sum 0.05
      a_seconds_count 1

      """, of: "one")
    merged.add(
      """
      # HELP b_total What is counted.
      # TYPE b_total counter
      b_total{kind="x"} 4
      """, of: "two")
    #expect(
      merged.text == """
        # HELP a_seconds How long.
        # TYPE a_seconds histogram
        a_seconds_bucket{instance="one",le="0.1"} 1
        a_seconds_sum{instance="one"} 0.05
        a_seconds_count{instance="one"} 1
        # HELP b_total What is counted.
        # TYPE b_total counter
        b_total{instance="one"} 3
        b_total{instance="two",kind="x"} 4

        """)
  }

  @Test func `lines that are not metrics or have no description are left out`() {
    var merged = MergedMetrics()
    merged.add("early 1\n# TYPE x gauge\nx{} 1\nother 2\nnonsense\n# HELP\n# comment\n", of: "a")
    #expect(merged.text == "# TYPE x gauge\nx{instance=\"a\"} 1\n")
  }

  @Test func `a quote in an instance's name does not end the label`() {
    var merged = MergedMetrics()
    merged.note("a\"} 9\nevil 1", isUp: false)
    #expect(merged.text.hasSuffix(#"carillon_instance_up{instance="a\"} 9\nevil 1"} 0"# + "\n"))
  }

  @Test func `an instance that does not answer is marked as down`() {
    var merged = MergedMetrics()
    merged.note("a", isUp: true)
    merged.note("b", isUp: false)
    #expect(
      merged.text.hasSuffix(
        "carillon_instance_up{instance=\"a\"} 1\ncarillon_instance_up{instance=\"b\"} 0\n"))
  }
}
