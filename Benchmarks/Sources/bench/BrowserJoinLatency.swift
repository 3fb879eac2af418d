import Foundation
import TestSupport
import WebRTC
import Wire
import ZeroMQ

/// Measures how long a browser waits for sound: the time from the moment at which the browser opens
/// its WebSocket to the first audio packet.
///
/// All services of an installation run. One browser of the meeting speaks. Other browsers join the
/// meeting, first one after another, and then all at the same time.
struct BrowserJoinLatency: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.join"

  /// The number of browsers that join one after another, and the number of browsers that join at
  /// the same time.
  private static let (alone, together) = (100, 200)

  func measure() async throws -> [BenchmarkRow] {
    var alone: [[Double]] = []
    var together: [[Double]] = []
    for _ in 0..<options.rounds {
      alone.append(try await join(Self.alone, isStorm: false))
      together.append(try await join(Self.together, isStorm: true))
    }
    return rows("1", alone) + rows("\(Self.together)", together)
  }

  private func rows(_ joining: String, _ rounds: [[Double]]) -> [BenchmarkRow] {
    [("p50", 0.5), ("p99", 0.99)].map { suffix, share in
      BenchmarkRow(
        name: "\(name).\(joining).\(suffix)", unit: "ms", peer: nil,
        samples: rounds.map { .init(value: percentile($0, share)) })
    }
  }

  /// Returns how long each browser waited for sound, in milliseconds.
  private func join(_ count: Int, isStorm: Bool) async throws -> [Double] {
    let raised =
      ["--keep-alive-ms", "10000"] + ["--rest-connections-per-address", "\(2 * count)"]
    return try await Installation.run(raised: raised, capacity: count + 1) { installation in
      let attendees = try await installation.makeAttendees(count + 1)
      let thread = SocketThread(name: "browsers")
      defer {
        thread.stop()
        thread.join()
      }
      let meeting = try JoiningBrowsers(
        at: installation.gateway, packets: BenchmarkAudioClient.packets(of: options.voice),
        on: thread)
      do {
        try await meeting.begin(attendees[0])
        let times =
          isStorm
          ? try await meeting.joinTogether(attendees.dropFirst())
          : try await meeting.joinOneByOne(attendees.dropFirst())
        await meeting.end()
        return times
      } catch {
        await meeting.end()
        throw error
      }
    }
  }
}

/// The browsers of one meeting, on one thread. The first browser speaks.
actor JoiningBrowsers {
  private let gateway: Installation.Gateway
  private let packets: [[UInt8]]
  private let thread: SocketThread
  private let identity: DTLSIdentity
  private var browsers: [JoiningBrowser] = []
  private var timer: TimerID?
  private var next = ContinuousClock.now
  private var ticks = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(at gateway: Installation.Gateway, packets: [[UInt8]], on thread: SocketThread) throws {
    (self.gateway, self.packets, self.thread) = (gateway, packets, thread)
    identity = try DTLSIdentity(at: Int64(Date().timeIntervalSince1970))
  }

  /// Joins with the browser that speaks, and waits until this browser has received sound.
  func begin(_ attendee: V1.AttendeeRecord) async throws {
    next = thread.now
    tick()
    try open(attendee)
    try await becomeReady()
  }

  /// Joins with one browser after another. Each browser leaves before the next browser joins.
  ///
  /// - Returns: How long each browser waited for sound, in milliseconds.
  func joinOneByOne(_ attendees: ArraySlice<V1.AttendeeRecord>) async throws -> [Double] {
    var times: [Double] = []
    for attendee in attendees {
      try open(attendee)
      try await becomeReady()
      guard let browser = browsers.popLast(), let time = browser.time else { continue }
      browser.close()
      times.append(time / .milliseconds(1))
      try await Task.sleep(for: .milliseconds(.random(in: 20..<40)))
    }
    return times
  }

  /// Joins with all browsers at the same time.
  ///
  /// - Returns: How long each browser waited for sound, in milliseconds.
  func joinTogether(_ attendees: ArraySlice<V1.AttendeeRecord>) async throws -> [Double] {
    for attendee in attendees { try open(attendee) }
    try await becomeReady()
    return browsers.dropFirst().compactMap(\.time).map { $0 / .milliseconds(1) }
  }

  func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    for browser in browsers { browser.close() }
    browsers = []
  }

  private func open(_ attendee: V1.AttendeeRecord) throws {
    browsers.append(try JoiningBrowser(attendee, at: gateway, identity, on: thread))
  }

  /// Waits until every browser has received sound.
  private func becomeReady() async throws {
    let end = ContinuousClock.now + .seconds(30)
    while !browsers.allSatisfy({ $0.time != nil }) {
      guard ContinuousClock.now < end else { throw BenchError.missing("The sound of a browser") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Sends the next packet of the browser that speaks, every 20 ms.
  private func tick() {
    while next <= thread.now {
      next = next + .milliseconds(20)
      for browser in browsers { browser.peer.advance() }
      if let speaker = browsers.first?.peer, speaker.isReady {
        speaker.send(packets[ticks % packets.count], tick: ticks, level: 25)
      }
      ticks += 1
    }
    timer = thread.schedule(after: next - ContinuousClock.now) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }
}
