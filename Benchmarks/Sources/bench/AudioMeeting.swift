import Foundation
import MeetingModel
import ZeroMQ

/// One meeting of a ``MediaProcess``, whose participants send what was encoded before, and take the mixes
/// that come.
actor AudioMeeting {
  private let media: MediaProcess
  private let thread: SocketThread
  private let context: Context
  private let meeting = MeetingID.random()
  private let packets: [[UInt8]]
  private var participants: [Participant] = []
  private var timer: TimerID?
  private var next = ContinuousClock.now
  private var ticks = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// One of them, and where its media goes.
  private final class Participant {
    var socket: Socket?
    var watch: WatchID?
    let isSpeaking: Bool
    let ticket: [UInt8]
    let ssrc: UInt32
    var received = 0

    init(isSpeaking: Bool, _ session: MediaProcess.Session) {
      self.isSpeaking = isSpeaking
      (ticket, ssrc) = (session.ticket, session.ssrc)
    }
  }

  private init(of media: MediaProcess, packets: [[UInt8]], on thread: SocketThread) throws {
    self.media = media
    self.packets = packets
    self.thread = thread
    context = try Context()
  }

  /// Processor time that media takes for 20 ms of such a meeting, in microseconds.
  static func microsecondsPerTick(
    participants: Int, speakers: Int, heard: Int, for time: Duration, packets path: String
  ) async throws -> Double {
    let packets = try read(path)
    return try await MediaProcess.hold(["--max-talkers", "\(heard)"]) { media in
      let thread = SocketThread(name: "audio")
      defer {
        thread.stop()
        thread.join()
      }
      let meeting = try AudioMeeting(of: media, packets: packets, on: thread)
      do {
        try await meeting.begin(participants, speakers)
        try await Task.sleep(for: .seconds(2))  // Until buffers are filled and everybody is measured.
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

  /// Packets, each with its length in front.
  private static func read(_ path: String) throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var packets: [[UInt8]] = []
    var offset = 0
    while offset + 2 <= bytes.count {
      let count = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      packets.append(Array(bytes[offset + 2..<offset + 2 + count]))
      offset += 2 + count
    }
    return packets
  }

  private func begin(_ count: Int, _ speakers: Int) async throws {
    for number in 0..<count { try await admit(isSpeaking: number < speakers) }
    next = thread.now
    tick()
  }

  private func admit(isSpeaking: Bool) async throws {
    let session = try await media.admit(to: meeting)
    let participant = Participant(isSpeaking: isSpeaking, session)
    let socket = try Socket(.dealer, in: context)
    try socket.connect(to: .ipc("\(media.directory)/run/media-a.media.sock"))
    participant.watch = thread.watch(socket) { [unowned participant] in
      Self.take(participant)
    }
    participant.socket = consume socket
    participants.append(participant)
  }

  /// Reads all that has come.
  private static func take(_ participant: Participant) {
    switch participant.socket {
    case .some(let socket):
      while let frames = try? socket.receive(), !frames.isEmpty { participant.received += 1 }
    case .none: break
    }
  }

  /// Every 20 ms each speaker sends the next packet.
  private func tick() {
    while next <= thread.now {
      next = next + .milliseconds(20)
      for (number, participant) in participants.enumerated() {
        // Until it is answered: nothing is sent before the connection stands.
        if participant.received == 0 { show(participant) }
        if participant.isSpeaking { send(participant, number) }
      }
      ticks += 1
    }
    timer = thread.schedule(after: next - ContinuousClock.now) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }

  private func show(_ participant: Participant) {
    guard ticks.isMultiple(of: 25) else { return }
    switch participant.socket {
    case .some(let socket): _ = try? socket.send(Frame(participant.ticket))
    case .none: break
    }
  }

  private func send(_ participant: Participant, _ number: Int) {
    let payload = packets[(ticks + 7 * number) % packets.count]
    var packet: [UInt8] = [0x90, 111]
    func append(_ value: UInt32, _ bytes: Int) {
      for shift in (0..<bytes).reversed() {
        packet.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift))))
      }
    }
    append(UInt32(ticks & 0xffff), 2)
    append(UInt32(truncatingIfNeeded: ticks * 960), 4)
    append(participant.ssrc, 4)
    // The audio level, one extension of one byte: some are louder than others.
    append(0xBEDE_0001, 4)
    packet += [0x10, 0x80 | UInt8(25 + number % 20), 0, 0]
    packet += payload
    switch participant.socket {
    case .some(let socket): _ = try? socket.send(Frame(packet))
    case .none: break
    }
  }

  /// Processor time that media has used, in microseconds, and the packets of each speaker so far.
  private func used() throws -> (Double, Int) { (try media.used(), ticks) }

  private func requireEverybodyHears() throws {
    guard participants.allSatisfy({ $0.received > ticks / 2 }) else {
      throw BenchError.missing("What everybody was to hear")
    }
  }

  private func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    for participant in participants {
      if let watch = participant.watch { thread.unwatch(watch) }
      participant.socket = nil
    }
    participants = []
  }
}
