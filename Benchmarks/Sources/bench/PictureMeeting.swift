import Foundation
import TestSupport
import WebRTC
import Wire
import ZeroMQ

/// A meeting in which one browser sends a camera. Other browsers join one after another and show
/// the camera.
actor PictureMeeting {
  private let gateway: Installation.Gateway
  private let thread: SocketThread
  private let identity: DTLSIdentity
  private var camera: FilmingBrowser?
  private var viewer: ViewingBrowser?
  private var timer: TimerID?
  private var next = ContinuousClock.now

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Each browser waits at least this long before its SUBSCRIBE, because `media` may wait for a
  /// second between two requests for a key frame. The browser adds a random time, so that the
  /// SUBSCRIBE arrives at any time between two pictures of the camera.
  private static let pause = Duration.seconds(1)

  init(at gateway: Installation.Gateway, on thread: SocketThread) throws {
    (self.gateway, self.thread) = (gateway, thread)
    identity = try DTLSIdentity(at: Int64(Date().timeIntervalSince1970))
  }

  /// Joins with the browser that sends the camera, and waits until this browser is connected.
  func begin(_ attendee: V1.AttendeeRecord) async throws {
    let camera = try FilmingBrowser(attendee, at: gateway, identity, on: thread)
    self.camera = camera
    next = thread.now
    tick()
    try await wait("The connection of the camera") { camera.isReady }
  }

  /// Joins with a browser that shows the camera, and leaves.
  ///
  /// - Returns: The time from the SUBSCRIBE to the first decoded picture, in milliseconds.
  func view(_ attendee: V1.AttendeeRecord) async throws -> Double {
    let pause = Self.pause + Duration.milliseconds(Int.random(in: 0..<FilmingBrowser.intervalMs))
    let viewer = try ViewingBrowser(attendee, at: gateway, identity, on: thread)
    self.viewer = viewer
    try await wait("The connection of a browser") { viewer.isReady }
    try await Task.sleep(for: pause)
    try viewer.subscribe()
    try await wait("The picture of a browser") { viewer.time != nil }
    guard let time = viewer.time else { return 0 }
    viewer.close()
    self.viewer = nil
    return time / .milliseconds(1)
  }

  func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    camera?.close()
    viewer?.close()
    (camera, viewer) = (nil, nil)
  }

  private func wait(_ what: String, until isDone: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while !isDone() {
      guard ContinuousClock.now < end else { throw BenchError.missing(what) }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Films the next picture, and continues the handshakes.
  private func tick() {
    if next <= thread.now {
      next = next + Duration.milliseconds(FilmingBrowser.intervalMs)
      camera?.film()
    }
    camera?.advance()
    viewer?.advance()
    timer = thread.schedule(after: .milliseconds(2)) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }
}
