import Foundation
import MeetingModel
import ZeroMQ

/// A meeting of a ``MediaProcess``. Everyone plays a ``SpeechRecording`` in real time and then
/// sends silence.
actor SpeakingMeeting {
  nonisolated let meeting = MeetingID.random()
  private let thread: SocketThread
  private let context: ZMQContext
  private var talkers: [Talker] = []
  private var timer: TimerID?
  private var next = ContinuousClock.now
  private var playing: CheckedContinuation<Void, Never>?

  /// The number of 20 ms packets that each participant has sent so far.
  private(set) var ticks = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private struct Talker {
    let client: BenchmarkAudioClient
    let packets: [SpeechRecording.Packet]
    var rest: Range<Int>
  }

  init(on thread: SocketThread) throws {
    self.thread = thread
    context = try ZMQContext()
  }

  /// Admits the participants and waits until each participant receives the mix.
  ///
  /// - Returns: The participants' attendee ids.
  func begin(_ recordings: [SpeechRecording], at media: MediaProcess) async throws -> [String] {
    var participants: [String] = []
    for recording in recordings {
      let session = try await media.admit(to: meeting)
      let client = try BenchmarkAudioClient(session, of: media.directory, in: context, on: thread)
      // `media` sends little while no one speaks, so each participant plays the first part of its
      // recording.
      let first = 0..<recording.firstCount
      talkers.append(Talker(client: client, packets: recording.packets, rest: first))
      participants.append(session.participant)
    }
    next = thread.now
    tick()
    let deadline = thread.now + .seconds(20)
    while !talkers.allSatisfy({ $0.client.received > 0 }) {
      guard thread.now < deadline else { throw BenchError.missing("What everybody was to hear") }
      try await Task.sleep(for: .milliseconds(20))
    }
    return participants
  }

  /// Plays a part of each recording, and returns when the last part has ended.
  ///
  /// - Parameter parts: A range of each participant's own recording, in packets.
  func play(_ parts: [Range<Int>]) async {
    for (number, part) in parts.enumerated() { talkers[number].rest = part }
    await withCheckedContinuation { playing = $0 }
  }

  /// Sends the next packet of each participant, every 20 ms.
  private func tick() {
    while next <= thread.now {
      next = next + .milliseconds(20)
      for number in talkers.indices { speak(number) }
      ticks += 1
    }
    if talkers.allSatisfy(\.rest.isEmpty) {
      playing?.resume()
      playing = nil
    }
    timer = thread.schedule(after: next - ContinuousClock.now) { [unowned self] in
      assumeIsolated { $0.tick() }
    }
  }

  private func speak(_ number: Int) {
    let talker = talkers[number]
    // Resend the ticket until `media` answers it, because libzmq drops messages before the
    // connection exists.
    if talker.client.received == 0, ticks.isMultiple(of: 25) { talker.client.show() }
    if let place = talker.rest.first {
      talkers[number].rest = talker.rest.dropFirst()
      let packet = talker.packets[place]
      talker.client.send(packet.payload, tick: ticks, level: packet.level)
    } else if let silence = talker.packets.last {
      // After the last sentence, the participant repeatedly sends the last packet, which is silent.
      talker.client.send(silence.payload, tick: ticks, level: silence.level)
    }
  }

  func end() {
    if let timer { thread.cancel(timer) }
    timer = nil
    for talker in talkers { talker.client.close() }
    talkers = []
    playing?.resume()
    playing = nil
  }
}
