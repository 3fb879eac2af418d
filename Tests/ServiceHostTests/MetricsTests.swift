import CoreMetrics
import Foundation
import Testing

@testable import ServiceHost

private enum Method: String, MetricLabel {
  static let labelName = "method"
  case join, leave
}

private enum Status: Int, MetricLabel {
  static let labelName = "status"
  case ok = 0
  case unavailable = 14
  var labelValue: String { "\(self)" }
}

private enum Awkward: String, MetricLabel {
  static let labelName = "text"
  case quoted = "a \"b\" \\ c\nd"
}

@Suite struct MetricsTests {
  private let registry = MetricsRegistry()

  @Test func `a registry without metrics produces no text`() {
    #expect(registry.prometheusText() == "")
  }

  @Test func `metrics are sorted by name and shown with help and type`() {
    registry.gauge("b_depth", help: "Entries\nwaiting in C:\\.").set(2.5)
    registry.counter("a_total", help: "Things.").increment(by: 3)
    #expect(
      registry.prometheusText() == """
        # HELP a_total Things.
        # TYPE a_total counter
        a_total 3
        # HELP b_depth Entries\\nwaiting in C:\\\\.
        # TYPE b_depth gauge
        b_depth 2.5

        """)
  }

  @Test func `a metric with one label shows all label values from the start`() {
    let requests = registry.counters("requests_total", help: "Requests.", by: Method.self)
    requests[.join].increment()
    #expect(registry.prometheusText().contains("requests_total{method=\"join\"} 1\n"))
    #expect(registry.prometheusText().contains("requests_total{method=\"leave\"} 0\n"))
  }

  @Test func `a metric with two labels shows only pairs that have occurred`() {
    let seconds = registry.histograms(
      "request_seconds", help: "Requests.", by: LabelPair<Method, Status>.self)
    seconds[.join, .ok].observe(.milliseconds(2))
    seconds[.join, .ok].observe(.seconds(11))
    seconds[.join, .ok].observe(.seconds(-1))
    let text = registry.prometheusText()
    let labels = #"method="join",status="ok""#
    #expect(text.contains("# TYPE request_seconds histogram\n"))
    #expect(text.contains("request_seconds_bucket{\(labels),le=\"5e-05\"} 1\n"))
    #expect(text.contains("request_seconds_bucket{\(labels),le=\"0.001\"} 1\n"))
    #expect(text.contains("request_seconds_bucket{\(labels),le=\"0.0025\"} 2\n"))
    #expect(text.contains("request_seconds_bucket{\(labels),le=\"10\"} 2\n"))
    #expect(text.contains("request_seconds_bucket{\(labels),le=\"+Inf\"} 3\n"))
    #expect(text.contains("request_seconds_sum{\(labels)} 11.002\n"))
    #expect(text.contains("request_seconds_count{\(labels)} 3\n"))
    #expect(!text.contains("unavailable"))
  }

  @Test func `a duration counter is shown in seconds`() {
    let counter = registry.durationCounter("speech_seconds_total", help: "Speech.")
    counter.increment(by: .milliseconds(1_500))
    counter.increment(by: .microseconds(250))
    counter.increment(by: .seconds(-1))
    registry.durationCounter("busy_seconds_total", help: "Busy.") { 2.5 }
    let text = registry.prometheusText()
    #expect(text.contains("# TYPE speech_seconds_total counter\nspeech_seconds_total 1.50025\n"))
    #expect(text.contains("# TYPE busy_seconds_total counter\nbusy_seconds_total 2.5\n"))
  }

  @Test func `the values of metric labels are escaped`() {
    _ = registry.counters("odd_total", help: "Odd.", by: Awkward.self)
    #expect(registry.prometheusText().contains(#"odd_total{text="a \"b\" \\ c\nd"} 0"#))
  }

  @Test func `metrics with the same name share one series`() {
    registry.counter("a_total", help: "A.").increment()
    registry.counter("a_total", help: "A.").increment()
    #expect(registry.prometheusText().contains("a_total 2\n"))
  }

  @Test func `the closure of a metric is called when the text is produced`() {
    registry.counter("a_total", help: "A.") { 7 }
    registry.gauge("b", help: "B.") { -.infinity }
    #expect(registry.prometheusText().contains("a_total 7\n"))
    #expect(registry.prometheusText().contains("b -Inf\n"))
  }

  @Test(
    arguments: [
      (0, "0"), (-3, "-3"), (0.5, "0.5"), (.nan, "NaN"), (.infinity, "+Inf"),
      (1e18, "1000000000000000000"),
      (1e300, "1e+300"),
    ] as [(Double, String)])
  func `numbers are written in the format of Prometheus`(value: Double, text: String) {
    #expect(PrometheusText.number(value) == text)
  }

  @Test(arguments: [
    ("a", true), ("_a:b9", true), ("", false), ("9a", false), ("a.b", false), ("é", false),
  ])
  func `a metric's name follows the rules of Prometheus`(name: String, isValid: Bool) {
    #expect(MetricNameRules.isValid(name) == isValid)
  }

  @Test(arguments: [
    ("method", true), ("a:b", false), ("__name__", false), ("le", false), ("", false),
  ])
  func `a label's name follows the rules of Prometheus`(name: String, isValid: Bool) {
    #expect(MetricNameRules.isValidLabel(name) == isValid)
  }

  @Test func `a second metric of another kind with the same name stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let registry = MetricsRegistry()
      _ = registry.counter("a_total", help: "A.")
      _ = registry.gauge("a_total", help: "A.")
    }
  }

  @Test func `a metric with an invalid name stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = MetricsRegistry().counter("a b", help: "A.")
    }
  }

  @Test func `increments from many tasks are all counted`() async {
    let counter = registry.counter("a_total", help: "A.")
    let gauge = registry.gauge("b", help: "B.")
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            counter.increment()
            gauge.increment()
          }
        }
      }
    }
    #expect(counter.value == 8000)
    #expect(gauge.value == 8000)
  }

  @Test func `the process metrics show build, start time, processor time, memory and files`() throws
  {
    ProcessMetrics.register(
      in: registry, service: "presence", version: "1.2.3",
      startedAt: Date(timeIntervalSince1970: 1_700_000_000))
    let text = registry.prometheusText()
    #expect(
      text.contains("carillon_build_info{service=\"presence\",version=\"1.2.3\"} 1\n"))
    #expect(text.contains("process_start_time_seconds 1700000000\n"))
    #expect(try value(of: "process_cpu_seconds_total", in: text) > 0)
    #expect(try value(of: "process_resident_memory_bytes", in: text) > 1_000_000)
    #expect(try value(of: "process_open_fds", in: text) >= 3)
  }

  @Test func `metrics of libraries are shown under valid names`() {
    let factory = RegistryMetricsFactory(registry: registry)
    factory.makeCounter(label: "http.requests", dimensions: [("le", "x")]).increment(by: 2)
    factory.makeTimer(label: "http.time", dimensions: []).recordNanoseconds(1_000_000)
    factory.makeRecorder(label: "9.size", dimensions: [], aggregate: true).record(4.5 as Double)
    factory.makeRecorder(label: "temperature", dimensions: [], aggregate: false).record(3 as Int64)
    factory.makeMeter(label: "depth", dimensions: []).increment(by: 1.5)
    factory.makeFloatingPointCounter(label: "hours", dimensions: []).increment(by: 2)
    // Another kind of metric already has this name. So the output does not contain the recorder,
    // and the call causes no error.
    factory.makeRecorder(label: "depth", dimensions: [], aggregate: true).record(1 as Int64)
    let text = registry.prometheusText()
    #expect(text.contains("http_requests_total{label_le=\"x\"} 2\n"))
    #expect(text.contains("http_time_seconds_sum 0.001\n"))
    #expect(text.contains("_9_size_sum 4.5\n_9_size_count 1\n"))
    #expect(text.contains("temperature 3\n"))
    #expect(text.contains("depth 1.5\n"))
    #expect(text.contains("hours_total 2\n"))
  }

  private func value(of name: String, in text: String) throws -> Double {
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") })
    return try #require(Double(line.dropFirst(name.count + 1)))
  }
}
