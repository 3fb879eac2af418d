import Foundation
import WebRTC
import ZeroMQ

/// Browsers that send cameras in real time, and browsers that receive all these cameras.
actor CameraMeeting {
  private let thread: SocketThread
  private let identity: DTLSIdentity
  private var cameras: [BrowserPeer] = []
  private var receivers: [BrowserPeer] = []
  private var connecting: BrowserPeer?
  private var timer: TimerID?
  private var next = ContinuousClock.now

  /// The number of frames that all cameras together have sent. The cameras take turns.
  private var frames = 0
  private var isFilming = false

  /// The number of packets that all cameras together have sent.
  private var sent = 0

  /// The number of packets of video that all receivers together have received.
  private var delivered = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private static let framesPerSecond = 15

  /// The numbers of packets of a frame and of a key frame.
  private static let (packets, packetsOfKeyFrame) = (4, 20)

  /// The number of frames from one key frame of a camera to the next key frame.
  private static let keyFrameInterval = 60

  private init(on thread: SocketThread) throws {
    self.thread = thread
    identity = try DTLSIdentity(at: Int64(Date().timeIntervalSince1970))
  }

  /// Holds a meeting during `body`.
  static func hold<Result: Sendable>(
    _ body: (CameraMeeting) async throws -> Result
  ) async throws -> Result {
    let thread = SocketThread(name: "cameras")
    defer {
      thread.stop()
      thread.join()
    }
    let meeting = try CameraMeeting(on: thread)
    do {
      let result = try await body(meeting)
      await meeting.end()
      return result
    } catch {
      await meeting.end()
      throw error
    }
  }

  /// Makes a browser that sends a camera, and returns the browser's offer.
  func makeCamera() throws -> String {
    let peer = try BrowserPeer(identity, .sends, on: thread)
    cameras.append(peer)
    connecting = peer
    return peer.offer
  }

  /// Makes a browser that receives cameras, and returns the browser's offer.
  func makeReceiver(of count: Int) throws -> String {
    let peer = try BrowserPeer(identity, .receives(count), on: thread)
    peer.onVideo = { [unowned self] in assumeIsolated { $0.delivered += 1 } }
    receivers.append(peer)
    connecting = peer
    return peer.offer
  }

  /// Connects the browser that was made last.
  func connect(_ answer: String) throws {
    try connecting?.connect(answer)
    if timer == nil { tick() }
  }

  /// Waits until all handshakes are done.
  func becomeReady() async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !(cameras + receivers).allSatisfy(\.isReady) {
      guard ContinuousClock.now < end else { throw BenchError.missing("The last handshake") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Sends the video of all cameras for this time.
  ///
  /// - Throws: An error if more than a tenth of the packets did not arrive.
  func film(for time: Duration) async throws {
    next = thread.now
    (isFilming, frames, sent, delivered) = (true, 0, 0, 0)
    try await Task.sleep(for: time)
    isFilming = false
    // During this time, the last packets arrive.
    try await Task.sleep(for: .milliseconds(300))
    let expected = sent * receivers.count
    guard expected > 0, delivered >= expected * 9 / 10 else {
      throw BenchError.missing("\(expected - delivered) of \(expected) packets of the cameras")
    }
  }

  private func tick() {
    for peer in cameras + receivers { peer.advance() }
    while isFilming, !cameras.isEmpty, next <= thread.now {
      next = next + Duration.seconds(1) / (Self.framesPerSecond * cameras.count)
      sendFrame(of: cameras[frames % cameras.count], frames / cameras.count)
      frames += 1
    }
    timer = thread.schedule(after: .milliseconds(2)) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }

  private func sendFrame(of camera: BrowserPeer, _ frame: Int) {
    let isKey = frame.isMultiple(of: Self.keyFrameInterval)
    let size = isKey ? Self.packetsOfKeyFrame : Self.packets
    camera.sendFrame(of: size, isKey: isKey)
    sent += size
  }

  private func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    for peer in cameras + receivers { peer.close() }
    (cameras, receivers, connecting) = ([], [], nil)
  }
}
