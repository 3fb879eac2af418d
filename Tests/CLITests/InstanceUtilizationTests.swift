import Output
import Testing

@testable import CLI
@testable import LocalInstallation

@Suite struct InstanceUtilizationTests {
  private static func reading(started: Int = 100, packets: Int, calls: Int) -> MetricsReading {
    MetricsReading(
      """
      process_start_time_seconds \(started)
      process_cpu_seconds_total \(Double(calls) / 10)
      process_resident_memory_bytes 25000000
      process_open_fds 31
      carillon_media_meetings 2
      carillon_media_sessions 7
      carillon_media_received_packets_total{kind="audio"} \(packets)
      carillon_media_sent_packets_total{kind="audio"} \(packets * 3)
      carillon_media_rpc_request_duration_seconds_count{method="Media/Admit"} \(calls)
      """)
  }

  @Test func `counters are shown as rates per second since the last reading`() {
    let load = InstanceUtilization(
      of: "media-a", now: Self.reading(packets: 500, calls: 12),
      before: Self.reading(packets: 100, calls: 2), seconds: 2)
    #expect(
      load.record == [
        "instance": "media-a", "answers": true, "cpu_percent": 50, "meetings": 2, "sessions": 7,
        "requests_per_second": 5, "messages_per_second": .null, "packets_in_per_second": 200,
        "packets_out_per_second": 600, "waiting": .null, "memory_mb": 25, "open_files": 31,
      ])
  }

  @Test func `a new or restarted instance has no rates yet`() {
    let now = Self.reading(started: 200, packets: 5, calls: 1)
    for before in [nil, Self.reading(packets: 100, calls: 2)] {
      let record = InstanceUtilization(of: "media-a", now: now, before: before, seconds: 2).record
      #expect(record["packets_in_per_second"] == .null)
      #expect(record["sessions"] == 7)
    }
  }

  @Test func `if an instance does not answer, only its name is shown`() {
    let record = InstanceUtilization(
      of: "media-a", now: nil, before: Self.reading(packets: 1, calls: 1), seconds: 2
    ).record
    #expect(record["answers"] == false)
    #expect(record.fields.dropFirst(2).allSatisfy { $0.value == .null })
  }
}
