import Foundation
import MeetingModel
import WebRTC
import ZeroMQ

/// One meeting of a media server. Its participants send pre-encoded packets and receive mixes.
actor AudioMeeting {
  /// How participants reach the server.
  enum Path: Sendable {
    case zeroMQ(MediaProcess, MeetingID)

    /// Participants connect with ICE, DTLS and SRTP, as browsers do.
    case webRTC(any OfferAnswerer)
  }

  /// The processor time and the memory that a meeting costs a server.
  struct Cost: Sendable {
    /// The processor time for 20 ms of the meeting, in microseconds.
    let perTick: Double

    /// The processor time for a participant's admission and handshake, in microseconds.
    let perJoin: Double

    /// The server's memory, in KB.
    let memory: Double
  }

  /// Measures a server process.
  protocol Server: Sendable {
    /// Returns the processor time of the process, in microseconds.
    func used() throws -> Double

    /// Returns the proportional set size of the process, in KB.
    func memory() throws -> Double
  }

  private let path: Path
  private let server: any Server
  private let thread: SocketThread
  private let context: ZMQContext
  private let identity: DTLSIdentity
  private let packets: [[UInt8]]
  private var participants: [(client: any BenchmarkAudioConnection, isSpeaking: Bool)] = []
  private var timer: TimerID?
  private var next = ContinuousClock.now
  private var ticks = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(
    _ path: Path, at server: any Server, packets: [[UInt8]], on thread: SocketThread
  ) throws {
    (self.path, self.server, self.packets, self.thread) = (path, server, packets, thread)
    context = try ZMQContext()
    identity = try DTLSIdentity(at: Int64(Date().timeIntervalSince1970))
  }

  /// Returns the processor time of media for 20 ms of a meeting over ZeroMQ, in microseconds.
  static func microsecondsPerTick(
    participants: Int, speakers: Int, heard: Int, for time: Duration, packets path: String
  ) async throws -> Double {
    try await MediaProcess.hold(["--max-talkers", "\(heard)"]) { media in
      try await cost(
        of: .zeroMQ(media, .random()), at: media, participants: participants, speakers: speakers,
        for: time, packets: path
      ).perTick
    }
  }

  /// Returns the processor time and the memory that a meeting costs a server.
  ///
  /// - Parameter file: A file that `Peers/opus_alone` has written.
  static func cost(
    of path: Path, at server: any Server, participants: Int, speakers: Int, for time: Duration,
    packets file: String
  ) async throws -> Cost {
    let thread = SocketThread(name: "audio")
    defer {
      thread.stop()
      thread.join()
    }
    let packets = try BenchmarkAudioClient.packets(of: file)
    let meeting = try AudioMeeting(path, at: server, packets: packets, on: thread)
    do {
      let began = ContinuousClock.now
      let start = try server.used()
      try await meeting.begin(participants, speakers)
      try await meeting.becomeReady()
      let joined = try server.used() - start
      let joining = ContinuousClock.now - began
      // Wait until the buffers are full and the server has measured all levels.
      try await Task.sleep(for: .seconds(2))
      let (used, ticks) = try await meeting.used()
      try await Task.sleep(for: time)
      let (usedThen, ticksThen) = try await meeting.used()
      try await meeting.requireEverybodyHears()
      let memory = try server.memory()
      await meeting.end()
      let perTick = (usedThen - used) / Double(max(ticksThen - ticks, 1))
      // While the participants joined one after another, half of them received the mix on average.
      let mixing = perTick * (joining / .milliseconds(20)) / 2
      return Cost(
        perTick: perTick, perJoin: (joined - mixing) / Double(participants), memory: memory)
    } catch {
      await meeting.end()
      throw error
    }
  }

  /// Admits all participants, and makes the speakers send audio.
  private func begin(_ count: Int, _ speakers: Int) async throws {
    next = thread.now
    tick()
    for number in 0..<count { try await admit(isSpeaking: number < speakers) }
  }

  private func becomeReady() async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !participants.allSatisfy(\.client.isReady) {
      guard ContinuousClock.now < end else { throw BenchError.missing("The last handshake") }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  private func admit(isSpeaking: Bool) async throws {
    switch path {
    case .zeroMQ(let media, let meeting):
      let session = try await media.admit(to: meeting)
      let client = try BenchmarkAudioClient(session, of: media.directory, in: context, on: thread)
      participants.append((client, isSpeaking))
    case .webRTC(let server):
      let peer = try BrowserPeer(identity, on: thread)
      participants.append((peer, isSpeaking))
      try peer.connect(try await server.answer(peer.offer))
    }
  }

  /// Sends the next packet of each speaker, every 20 ms.
  private func tick() {
    while next <= thread.now {
      next = next + .milliseconds(20)
      for (number, participant) in participants.enumerated() {
        // Resend the ticket until `media` answers it, because libzmq drops messages before the
        // connection exists.
        if participant.client.received == 0, ticks.isMultiple(of: 25) { participant.client.show() }
        participant.client.advance()
        guard participant.isSpeaking else { continue }
        // Speakers have different levels.
        participant.client.send(
          packets[(ticks + 7 * number) % packets.count], tick: ticks, level: UInt8(25 + number % 20)
        )
      }
      ticks += 1
    }
    timer = thread.schedule(after: next - ContinuousClock.now) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }

  /// Returns the server's processor time, in microseconds, and the number of packets that each
  /// speaker has sent.
  private func used() throws -> (Double, Int) { (try server.used(), ticks) }

  private func requireEverybodyHears() throws {
    // A single speaker hears nobody.
    let isSpeakerAlone = participants.count(where: \.isSpeaking) == 1
    let listeners = participants.filter { !(isSpeakerAlone && $0.isSpeaking) }
    guard listeners.allSatisfy({ $0.client.received > ticks / 2 }) else {
      throw BenchError.missing("What everybody was to hear")
    }
  }

  private func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    for participant in participants { participant.client.close() }
    participants = []
  }
}
