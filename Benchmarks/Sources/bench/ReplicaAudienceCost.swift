import Foundation
import MeetingModel
import TestSupport
import Wire

/// Measures the cost of an additional attendee of an audience. An attendee of the primary sends
/// data messages to the attendees of four replicas, first to 500 attendees and then to 5,000. For
/// each size, the benchmark also sends one speaker's mix to an audience of this size.
///
/// The cost is linear if three values are the same for 5,000 attendees as for 500: the gateway's
/// processor time per delivery, media's processor time per packet of the mix, and the memory per
/// attendee.
struct ReplicaAudienceCost: Benchmark {
  let options: MeasurementOptions
  let name = "replica.audience"

  private static let small = 500
  private static let large = 5_000
  private static let replicas = 4
  private static let bytes = 256

  /// The number of deliveries in one run.
  private static let deliveries = 500_000

  /// The cost of an audience of one size.
  private struct Measured {
    let joined: Double
    let perSecond: Double

    /// The gateway's processor time per delivery, in microseconds.
    let time: Double

    /// The gateway's memory per attendee, in KB.
    let memory: Double

    /// The p99 of the delivery time at an even pace, in microseconds.
    let most: Double

    var mix = MixCost(time: 0, memory: 0, heard: 0)
  }

  /// The cost of the mix in the service `media`.
  private struct MixCost {
    /// The processor time per packet and attendee, in microseconds.
    let time: Double

    /// The memory per attendee, in KB.
    let memory: Double

    /// The smallest share of the packets that any attendee received.
    let heard: Double
  }

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [(small: Measured, large: Measured)] = []
    for _ in 0..<options.rounds {
      rounds.append((small: try await hold(Self.small), large: try await hold(Self.large)))
    }
    func row(
      _ suffix: String, _ unit: String, bar: PassThreshold? = nil, beside: Bool = true,
      _ value: (Measured) -> Double
    ) -> BenchmarkRow {
      BenchmarkRow(
        name: name + suffix, unit: unit, peer: beside ? "audience-of-\(Self.small)" : nil,
        samples: rounds.map {
          .init(value: value($0.large), peerValue: beside ? value($0.small) : nil)
        }, bar: bar)
    }
    return [
      row(".joined", "s", bar: .atMost(5), beside: false, \.joined),
      row(".deliveries", "deliveries/s", \.perSecond),
      row(".cpu", "µs", bar: .ratioAtMost(1.15), \.time),
      row(".memory", "KB", bar: .ratioAtMost(1.15), \.memory),
      row(".p99", "µs", \.most),
      row(".mix.cpu", "µs", bar: .ratioAtMost(1.15), \.mix.time),
      row(".mix.memory", "KB", bar: .ratioAtMost(1.15), \.mix.memory),
      row(".mix.heard", "of 1", \.mix.heard),
    ]
  }

  private func hold(_ count: Int) async throws -> Measured {
    let raised = [
      "--keep-alive-ms", "10000", "--client-budget-kib", "65536", "--requests-per-second",
      "100000", "--request-burst", "1000000",
    ]
    let attendees = ["--max-attendees", "\(count / Self.replicas)"]
    let raisedOfMessaging = MessageBenchmarkMeeting.raisedOfMessaging
    say("raised: \((attendees + raised + raisedOfMessaging).joined(separator: " "))")
    var measured: Measured?
    try await Installation.run(
      Installation.Options(
        presenceFlags: attendees, messagingFlags: raisedOfMessaging,
        gatewayFlags: attendees + raised)
    ) { measured = try await measure(count, in: $0) }
    guard var measured else { throw BenchError.missing("A result") }
    measured.mix = try await hearMix(count)
    return measured
  }

  private static let seconds = 5

  /// Measures the delivery of one speaker's mix to `count` attendees in four replicas.
  private func hearMix(_ count: Int) async throws -> MixCost {
    try await MediaProcess.hold { media in
      let stage = MeetingID.random()
      let speaker = try Crowd.audio(options, of: media, try await media.admit(2, to: stage))
      defer { speaker.end() }
      _ = try speaker.speak(seconds: 2, speakers: 1)  // The warm-up does one-time setup.
      let before = try media.memory()
      var sessions: [MediaProcess.Session] = []
      for _ in 0..<Self.replicas {
        sessions += try await media.admit(count / Self.replicas, to: stage, from: .random())
      }
      let crowd = try Crowd.audio(options, of: media, sessions)
      defer { crowd.end() }
      _ = try speaker.speak(seconds: 2, speakers: 1)
      _ = try crowd.leastHeard()
      let start = try media.used()
      let packets = try speaker.speak(seconds: Self.seconds, speakers: 1).ticks
      let (used, least) = (try media.used() - start, try crowd.leastHeard())
      guard least > 0 else { throw BenchError.missing("What everybody was to hear") }
      return MixCost(
        time: used / Double(packets * count), memory: (try media.memory() - before) / Double(count),
        heard: min(1, Double(least) / Double(packets)))
    }
  }

  private func measure(_ count: Int, in installation: Installation) async throws -> Measured {
    let attendees = try await installation.makeAudience(of: count, in: Self.replicas)
    let gateway = try await installation.processID(of: installation.gateway.process.name)
    let before = try ProcessMemory.proportionalKilobytes(of: gateway)
    let crowd = try Crowd.audience(
      options, of: installation.gateway, as: attendees, in: installation.directory,
      sending: Self.bytes, seeing: 1)
    defer { crowd.end() }
    let joined = try crowd.join(outstanding: 64).agreed
    let memory = try ProcessMemory.proportionalKilobytes(of: gateway) - before
    let events = Self.deliveries / count
    let start = try ProcessTime.microseconds(of: gateway)
    let busy = try crowd.fan(events: events, window: 8)
    let used = try ProcessTime.microseconds(of: gateway) - start
    let calm = try crowd.pace(events: 50, perSecond: 5)
    return Measured(
      joined: joined, perSecond: busy.perSecond, time: used / Double(events * count),
      memory: memory / Double(count), most: calm.most)
  }
}

extension Installation {
  /// Creates one attendee of a primary meeting, then `count` attendees of the replicas of this
  /// meeting.
  fileprivate func makeAudience(
    of count: Int, in replicas: Int
  ) async throws -> [V1.AttendeeRecord] {
    let stage = try await createMeeting()
    var attendees = [try await createAttendee("speaker", in: stage)]
    for _ in 0..<replicas {
      let replica = try await createReplica(of: stage, maxAttendees: count / replicas)
      for number in 0..<count / replicas {
        attendees.append(try await createAttendee("client-\(number)", in: replica))
      }
    }
    return attendees
  }
}
