import CarillonClient
import Foundation
import Synchronization
import TestSupport
import Trials

/// Runs a profile with real processes and real clients.
public enum AdaptiveTrial {
  /// Runs one trial of a profile.
  ///
  /// - Returns: The trace of the trial. ``AdaptiveTrace/result(seed:)`` computes the trial's
  ///   measurements from the trace.
  public static func run(_ profile: LinkProfile, seed: UInt64) async throws -> AdaptiveTrace {
    try await AdaptiveMeeting.run(receivers: profile.subject == .twoReceivers ? 2 : 1) { meeting in
      let connections =
        profile.subject == .publisher
        ? [meeting.publisherConnections[0]] : meeting.receiverConnections
      let start = ContinuousClock.now
      meeting.proxy.begin(profile, of: connections, seed: seed)
      try await last(profile.seconds, in: meeting)
      return trace(of: meeting, profile, since: start)
    }
  }

  /// Waits until the proxy has followed the profile for this time.
  private static func last(_ seconds: Double, in meeting: AdaptiveMeeting) async throws {
    try await eventually("the end of the profile", within: .seconds(seconds * 2 + 30)) {
      meeting.proxy.samples.last?.at ?? 0 >= seconds
    }
  }

  private static func trace(
    of meeting: AdaptiveMeeting, _ profile: LinkProfile, since start: ContinuousClock.Instant
  ) -> AdaptiveTrace {
    let viewer = meeting.receivers[0]
    let shown = viewer.shown.entries
    func time(_ instant: ContinuousClock.Instant) -> Double { (instant - start) / .seconds(1) }
    func frames(_ tile: Int) -> [AdaptiveTrace.Point] {
      shown.filter { $0.tile == tile && $0.at >= start }
        .map { .init(at: time($0.at), value: Double($0.width)) }
    }
    let (subjects, estimate, rate): ([TrialParticipant], ObservableMetric, ObservableMetric) =
      profile.subject == .publisher
      ? ([meeting.publishers[0]], .videoAvailableSendBandwidth, .videoSendBitrate)
      : (meeting.receivers, .videoAvailableReceiveBandwidth, .videoReceiveBitrate)
    func figures(_ metric: ObservableMetric) -> [[AdaptiveTrace.Point]] {
      subjects.map { subject in
        subject.figures.entries.filter { $0.at >= start }
          .compactMap { entry in
            entry.values[metric].map {
              AdaptiveTrace.Point(at: time(entry.at), value: $0 / 1_000)
            }
          }
      }
    }
    let shares = zip(figures(estimate), figures(rate)).map {
      AdaptiveTrace.Share(estimates: $0, goodput: $1)
    }
    return AdaptiveTrace(
      profile: profile, link: meeting.proxy.samples, shares: shares,
      frames: frames(meeting.tiles[0]),
      minorFrames: meeting.tiles[1...].map(frames),
      sounds: viewer.soundsHeard.filter { $0.at >= start }
        .map { .init(at: time($0.at), value: $0.isTone ? 1 : 0) },
      pauses: pauses(of: meeting.tiles[0], viewer.news.entries, until: profile.seconds, time))
  }

  private static func pauses(
    of tile: Int, _ news: [TrialParticipant.TileNews], until end: Double,
    _ time: (ContinuousClock.Instant) -> Double
  ) -> [ClosedRange<Double>] {
    var pauses: [ClosedRange<Double>] = []
    var since: Double?
    for entry in news where entry.tile == tile {
      if entry.isPaused {
        since = since ?? time(entry.at)
      } else if let began = since {
        pauses.append(began...max(began, time(entry.at)))
        since = nil
      }
    }
    if let since { pauses.append(since...max(since, end)) }
    return pauses
  }
}
