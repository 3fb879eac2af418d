import Foundation
import SRTP
import WebRTC
import ZeroMQ

/// A browser that sends the video of a camera, and browsers that receive this video from a media
/// server.
actor VideoMeeting {
  private let thread: SocketThread
  private let identity: DTLSIdentity
  private var publisher: BrowserPeer?
  private var receivers: [BrowserPeer] = []
  private var timer: TimerID?

  /// The number of packets that have not arrived yet, at all receivers together.
  private var outstanding = 0
  private var delivered = 0
  private var lost = 0
  private var lastArrival = ContinuousClock.now

  /// The number of frames that the publisher has not sent yet.
  private var frames = 0
  private var size = 1
  private var continuation: CheckedContinuation<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// After this time without an arrival, the meeting counts the outstanding packets as lost.
  private static let patience = Duration.milliseconds(250)

  private init(on thread: SocketThread) throws {
    self.thread = thread
    identity = try DTLSIdentity(at: Int64(Date().timeIntervalSince1970))
  }

  /// Holds a meeting during `body`.
  static func hold<Result: Sendable>(
    _ body: (VideoMeeting) async throws -> Result
  ) async throws -> Result {
    let thread = SocketThread(name: "video")
    defer {
      thread.stop()
      thread.join()
    }
    let meeting = try VideoMeeting(on: thread)
    do {
      let result = try await body(meeting)
      await meeting.end()
      return result
    } catch {
      await meeting.end()
      throw error
    }
  }

  // MARK: Joining

  /// Makes the publisher, and returns its offer.
  func makePublisher() throws -> String {
    let peer = try BrowserPeer(identity, .sends, on: thread)
    publisher = peer
    return peer.offer
  }

  /// Connects the publisher.
  func connectPublisher(_ answer: String) throws {
    try publisher?.connect(answer)
    if timer == nil { tick() }
  }

  /// Makes a receiver that sends an offer, and returns this offer.
  func makeReceiver() throws -> String { try newReceiver().offer }

  /// Makes a receiver, and returns its answer to the server's offer.
  func makeReceiver(for offer: String) throws -> String {
    let peer = try newReceiver()
    let answer = try peer.answer(to: offer)
    try peer.connect(offer, offered: true)
    return answer
  }

  /// Connects the receiver that was added last.
  func connectReceiver(_ answer: String) throws { try receivers.last?.connect(answer) }

  /// Makes a publisher and receivers for a server without ICE and DTLS.
  ///
  /// - Returns: The address of the publisher, and the addresses of the receivers.
  func makePeers(receivers count: Int) throws -> (publisher: UDPAddress, receivers: [UDPAddress]) {
    let peer = try BrowserPeer(identity, .sends, on: thread)
    publisher = peer
    return (peer.address, try (0..<count).map { _ in try newReceiver().address })
  }

  /// Connects all peers to a server without ICE and DTLS.
  ///
  /// - Parameter keys: The key of the publisher, and then the keys of the receivers.
  func connectPeers(to server: UDPAddress, with keys: [MasterKey]) throws {
    for (peer, key) in zip([publisher].compactMap(\.self) + receivers, keys) {
      try peer.connect(to: server, with: key)
    }
    tick()
  }

  private func newReceiver() throws -> BrowserPeer {
    let peer = try BrowserPeer(identity, .receives(), on: thread)
    peer.onVideo = { [unowned self] in assumeIsolated { $0.arrive() } }
    receivers.append(peer)
    return peer
  }

  // MARK: Sending

  /// Waits until all handshakes are done. Then sends key frames until every receiver receives the
  /// key frames.
  func begin() async throws {
    try await becomeReady()
    let end = ContinuousClock.now + .seconds(20)
    var seen = receivers.map(\.received)
    while true {
      publisher?.sendFrame(of: 1, isKey: true)
      try await Task.sleep(for: .milliseconds(50))
      let videos = delivered
      delivered = 0
      outstanding = 0
      if videos >= receivers.count, zip(receivers, seen).allSatisfy({ $0.received > $1 }) { return }
      seen = receivers.map(\.received)
      guard ContinuousClock.now < end else { throw BenchError.missing("Video at each receiver") }
    }
  }

  /// Sends frames, each after all receivers have received the previous frame.
  ///
  /// - Returns: The number of delivered packets, at all receivers together.
  func forward(frames: Int, of size: Int) async throws -> Int {
    (delivered, lost, outstanding) = (0, 0, 0)
    (self.frames, self.size) = (frames, size)
    await withCheckedContinuation {
      continuation = $0
      sendFrame()
    }
    guard lost < delivered / 20 else { throw BenchError.missing("\(lost) packets of the video") }
    guard receivers.allSatisfy({ $0.refused == 0 }) else {
      throw BenchError.missing("The authenticity of packets of the video")
    }
    return delivered
  }

  private func sendFrame() {
    guard frames > 0 else {
      continuation?.resume()
      continuation = nil
      return
    }
    frames -= 1
    outstanding = size * receivers.count
    lastArrival = thread.now
    publisher?.sendFrame(of: size, isKey: size >= 30)
  }

  private func arrive() {
    delivered += 1
    guard continuation != nil else { return }
    outstanding -= 1
    lastArrival = thread.now
    if outstanding == 0 { sendFrame() }
  }

  private func tick() {
    publisher?.advance()
    for receiver in receivers { receiver.advance() }
    if continuation != nil, thread.now - lastArrival > Self.patience {
      lost += outstanding
      sendFrame()
    }
    timer = thread.schedule(after: .milliseconds(20)) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }

  /// Waits until all handshakes are done.
  func becomeReady() async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !(receivers + [publisher].compactMap(\.self)).allSatisfy(\.isReady) {
      guard ContinuousClock.now < end else { throw BenchError.missing("The last handshake") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    publisher?.close()
    for receiver in receivers { receiver.close() }
    (publisher, receivers) = (nil, [])
  }
}
