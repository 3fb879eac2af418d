import Foundation
import TestSupport
import Trials
import Wire

/// Measures how soon attendees of the primary meeting hear an attendee of a replica after the
/// attendee's promotion. The time begins with the call that promotes the attendee. The time ends
/// when an attendee of the primary receives the first packet of the mix that contains the promoted
/// attendee's voice.
///
/// The benchmark compares a promotion with a rejoin: the attendee leaves the replica, joins the
/// primary with the same credentials, opens its media connection and speaks. In both cases, the
/// attendee sends speech all the time, one packet every 20 ms, over a Unix socket.
struct PromotionLatency: Benchmark {
  let options: MeasurementOptions
  let name = "promotion.latency"

  /// The number of promotions in one round. Each round has the same number of rejoins.
  private static let samples = 40

  /// The time after which the mix no longer contains the voice of an attendee who left or whose
  /// promotion ended.
  private static let quiet = Duration.milliseconds(300)

  /// The results of one round, in milliseconds.
  private struct Round {
    var promoted: [Double] = []
    var rejoined: [Double] = []
  }

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [Round] = []
    for _ in 0..<options.rounds { rounds.append(try await hold()) }
    func row(_ suffix: String, _ share: Double, _ bar: PassThreshold?, beside: Bool = true)
      -> BenchmarkRow
    {
      BenchmarkRow(
        name: name + suffix, unit: "ms", peer: beside ? "rejoin" : nil,
        samples: rounds.map {
          .init(
            value: percentile($0.promoted, share),
            peerValue: beside ? percentile($0.rejoined, share) : nil)
        }, bar: bar)
    }
    return [
      row(".p50", 0.5, nil), row(".p99", 0.99, .ratioAtMost(0.25)),
      row(".p99", 0.99, .atMost(50), beside: false),
    ]
  }

  private func hold() async throws -> Round {
    var round = Round()
    let raised = ["--requests-per-second", "1000", "--request-burst", "1000"]
    try await Installation.run(Installation.Options(gatewayFlags: raised)) { installation in
      let stage = try await installation.createMeeting()
      let listener = try await installation.createAttendee("listener", in: stage)
      let audience = WatchedMeeting(
        installation: installation,
        watcher: try await installation.createAttendee(
          "watcher", in: try await installation.createReplica(of: stage)),
        member: try await installation.createAttendee("member", in: stage))
      try await withRawClient(installation) { client in
        try await client.start(listener)
        try await client.withVoice(in: installation.context) { ear in
          round.promoted = try await audience.promotions(Self.samples, heardBy: ear)
          for _ in 0..<Self.samples { round.rejoined.append(try await audience.rejoin(ear)) }
        }
      }
    }
    return round
  }

  /// A primary meeting, and an attendee who watches and can join this meeting.
  private struct WatchedMeeting {
    let installation: Installation
    let watcher: V1.AttendeeRecord
    let member: V1.AttendeeRecord

    /// Promotes and demotes the watcher repeatedly.
    func promotions(_ count: Int, heardBy ear: RawVoice) async throws -> [Double] {
      var took: [Double] = []
      try await withRawClient(installation) { client in
        try await client.start(watcher)
        try await client.withVoice(in: installation.context) { voice in
          await voice.talk()
          for number in 0..<count {
            // Each promotion starts at a different time between two mixes.
            try await Task.sleep(for: quiet + .milliseconds(number * 7 % 20))
            let mark = ear.peaks.count
            let began = ContinuousClock.now
            try await expect(
              client.call(
                V1.AudioVideoFacadeMethods.promoteToPrimaryMeeting,
                V1.PromoteToPrimaryMeetingRequest(
                  attendeeID: member.attendeeID, externalUserID: member.externalUserID,
                  joinToken: member.joinToken)))
            try await ear.hears(since: mark)
            took.append((ContinuousClock.now - began) / .milliseconds(1))
            try await expect(
              client.call(
                V1.AudioVideoFacadeMethods.demoteFromPrimaryMeeting,
                V1.DemoteFromPrimaryMeetingRequest()))
          }
          try await stop(client)
        }
      }
      return took
    }

    /// Leaves the replica and joins the primary.
    func rejoin(_ ear: RawVoice) async throws -> Double {
      var took = 0.0
      try await withRawClient(installation) { watching in
        try await watching.start(watcher)
        try await watching.withVoice(in: installation.context) { voice in
          await voice.talk()
          try await Task.sleep(for: quiet)
          let mark = ear.peaks.count
          let began = ContinuousClock.now
          try await stop(watching)
          try await withRawClient(installation) { client in
            try await client.start(member)
            try await client.withVoice(in: installation.context) { voice in
              await voice.talk()
              try await ear.hears(since: mark)
              took = (ContinuousClock.now - began) / .milliseconds(1)
              try await stop(client)
            }
          }
        }
      }
      return took
    }

    private func stop(_ client: RawClient) async throws {
      try await expect(client.call(V1.AudioVideoFacadeMethods.stop, V1.StopRequest()))
    }

    private func expect(_ answer: RawClient.Answer) throws {
      if let status = answer.status { throw RawClient.Failure.refused(status) }
    }
  }
}
