import MeetingModel
import ZeroMQ

/// One meeting of a ``MediaProcess``. Its participants send pre-encoded packets and receive mixes.
actor AudioMeeting {
  private let media: MediaProcess
  private let thread: SocketThread
  private let context: Context
  private let meeting = MeetingID.random()
  private let packets: [[UInt8]]
  private var participants: [(client: AudioClient, isSpeaking: Bool)] = []
  private var timer: TimerID?
  private var next = ContinuousClock.now
  private var ticks = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(of media: MediaProcess, packets: [[UInt8]], on thread: SocketThread) throws {
    self.media = media
    self.packets = packets
    self.thread = thread
    context = try Context()
  }

  /// Returns the processor time of media for 20 ms of a meeting, in microseconds.
  static func microsecondsPerTick(
    participants: Int, speakers: Int, heard: Int, for time: Duration, packets path: String
  ) async throws -> Double {
    let packets = try AudioClient.packets(of: path)
    return try await MediaProcess.hold(["--max-talkers", "\(heard)"]) { media in
      let thread = SocketThread(name: "audio")
      defer {
        thread.stop()
        thread.join()
      }
      let meeting = try AudioMeeting(of: media, packets: packets, on: thread)
      do {
        try await meeting.begin(participants, speakers)
        // Wait until the buffers are full and `media` has measured all levels.
        try await Task.sleep(for: .seconds(2))
        let (used, ticks) = try await meeting.used()
        try await Task.sleep(for: time)
        let (usedThen, ticksThen) = try await meeting.used()
        try await meeting.requireEverybodyHears()
        await meeting.end()
        return (usedThen - used) / Double(max(ticksThen - ticks, 1))
      } catch {
        await meeting.end()
        throw error
      }
    }
  }

  private func begin(_ count: Int, _ speakers: Int) async throws {
    for number in 0..<count { try await admit(isSpeaking: number < speakers) }
    next = thread.now
    tick()
  }

  private func admit(isSpeaking: Bool) async throws {
    let session = try await media.admit(to: meeting)
    let client = try AudioClient(session, of: media.directory, in: context, on: thread)
    participants.append((client, isSpeaking))
  }

  /// Sends the next packet of each speaker, every 20 ms.
  private func tick() {
    while next <= thread.now {
      next = next + .milliseconds(20)
      for (number, participant) in participants.enumerated() {
        // Resend the ticket until `media` answers it, because libzmq drops messages before the
        // connection exists.
        if participant.client.received == 0, ticks.isMultiple(of: 25) { participant.client.show() }
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

  /// Returns media's processor time, in microseconds, and the number of packets that each speaker
  /// has sent.
  private func used() throws -> (Double, Int) { (try media.used(), ticks) }

  private func requireEverybodyHears() throws {
    guard participants.allSatisfy({ $0.client.received > ticks / 2 }) else {
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
