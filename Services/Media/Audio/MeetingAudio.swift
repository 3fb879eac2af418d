import MeetingModel
import RTP

/// The audio of one meeting: packets of those who speak in, one mix for everybody out.
///
/// A value in all but name: it has no clock, socket or lock, and belongs to one actor, which passes
/// packets in as they come and calls ``tick(at:deliver:talk:)`` every 20 ms. In each tick
/// - each participant's jitter buffer gives what is to be played;
/// - those are decoded who are heard or may be: what their packets say of their level (RFC 6464)
///   only saves the work for those who say that they are quiet. Who overstates it is decoded, found
///   out, and believed that much less; who says nothing is always decoded;
/// - the loudest few have seats, kept over pauses between words and against those who are hardly
///   louder;
/// - one common mix is encoded for all without a seat, and for each who has one a mix without
///   itself.
///
/// When nobody is heard nothing is mixed, encoded or sent, but for 100 ms in which the last sound
/// fades. In steady state a tick and a packet allocate nothing.
final class MeetingAudio {
  /// Takes a packet for listeners, who all get the same.
  ///
  /// - Parameters:
  ///   - listeners: Never empty; valid until the call returns, as is the payload.
  ///   - payload: Opus, 20 ms.
  ///   - timestamp: Of its RTP packet, at 48 kHz.
  ///   - marker: Whether it is the first after a pause (RFC 3551, section 4.1).
  typealias Deliver = (
    _ listeners: Span<SessionKey>, _ payload: Span<UInt8>, _ timestamp: UInt32,
    _ marker: Bool
  ) -> Void

  /// Takes what somebody says, for transcription.
  ///
  /// - Parameters:
  ///   - samples: One channel at 16 kHz, 20 ms or a little less; may be empty at the end.
  ///   - start: When the first one came, on the clock of the arrivals.
  ///   - isLast: Whether it fell silent, was muted or left.
  typealias Talk = (
    _ talker: SessionKey, _ samples: Span<Int16>, _ start: MediaTime, _ isLast: Bool
  ) -> Void

  /// How long a tick is, in microseconds.
  static let tickUs: Int64 = 20_000

  let settings: MeetingAudioSettings
  var counters = MeetingAudioCounters()
  /// The RTP timestamp of the next tick's packets.
  private(set) var timestamp: UInt32

  /// The participants, at the indices of their keys.
  var participants: [AudioParticipant?] = []
  /// Those that ticks have to look at.
  var active: [AudioParticipant] = []
  /// Those with a seat.
  var seated: [AudioParticipant] = []
  /// Those who lost it in this tick.
  var leaving: [AudioParticipant] = []

  var mixer = Mixer()
  var commonOutputs: [MixOutput?] = Array(repeating: nil, count: MixKind.allCases.count)
  var spareOutputs: [[MixOutput]] = Array(repeating: [], count: MixKind.allCases.count)
  /// Who hears the common mix, by kind. Made anew when `audienceChanged`.
  var audiences: [[SessionKey]] = Array(repeating: [], count: MixKind.allCases.count)
  var audienceChanged = false
  /// Whether anybody wants stereo, and whether anybody sends it.
  var isStereoWanted = false
  var stereoTicksLeft = 0

  /// The common mix of this tick, and of the last ones.
  var common = MixFrame()
  var past = MixHistory()
  /// What a listener hears without itself.
  var own = MixFrame()
  var ownKey: [SessionKey] = [SessionKey(0)]

  private var nextTick: MediaTime?
  /// Whether what is said was told in the last tick.
  private var isReporting = false

  /// - Parameter timestamp: Of the first packet; random, as RFC 3550 has it.
  init(settings: MeetingAudioSettings = MeetingAudioSettings(), timestamp: UInt32) {
    precondition(settings.maxSpeakers > 0, "At least one speaker must be heard.")
    self.settings = settings
    self.timestamp = timestamp
  }

  /// Whether ticks have nothing to do until a packet comes. They may be left out for as long.
  var isIdle: Bool { active.isEmpty && !isSending }

  /// How many are heard.
  var speakerCount: Int { seated.count }

  /// Adds a participant that may hear and be heard. One with the same key is removed.
  ///
  /// - Parameter listens: Whether it is ever to be sent a mix.
  func add(_ key: SessionKey, listens: Bool, mode: AudioMode) {
    remove(key)
    if key.index >= participants.count {
      participants += Array(repeating: nil, count: key.index + 1 - participants.count)
    }
    let participant = AudioParticipant(key, listens: listens, mode: mode)
    if listens { participant.heard.begin(at: counters.concealed) }
    participants[key.index] = participant
    audienceChanged = true
  }

  /// Removes a participant. What it sent is not heard any longer; idempotent.
  func remove(_ key: SessionKey) {
    guard let participant = participant(key) else { return }
    participant.isRemoved = true
    participant.mayBeHeard = false
    participant.hush()
    release(&participant.output)
    participants[key.index] = nil
    audienceChanged = true
  }

  /// Whether it is sent mixes.
  func setMayHear(_ key: SessionKey, _ mayHear: Bool) {
    guard let participant = participant(key), participant.mayHear != mayHear else { return }
    participant.mayHear = mayHear
    noteHearing(of: participant)
    if !mayHear { release(&participant.output) }
    audienceChanged = true
  }

  /// Whether it is heard. Not to be takes effect with the next tick, also on what it sent before
  /// and was still waiting: nothing new of it is heard. For 5 ms its last sound fades.
  ///
  /// - Parameter now: With it, who begins to be heard is heard with the last packet that was
  ///   followed; without it, with the next one that comes.
  func setMayBeHeard(_ key: SessionKey, _ mayBeHeard: Bool, at now: MediaTime? = nil) {
    guard let participant = participant(key) else { return }
    let wasHeard = participant.mayBeHeard
    participant.mayBeHeard = mayBeHeard
    // Also when it was not heard before: who watches and mutes is followed no longer.
    guard mayBeHeard else { return participant.hush() }
    guard !wasHeard, let now else { return }
    participant.beginBeingHeard(at: now)
    list(participant)
  }

  /// Takes steady noise out of what it sends, from the next packet on, or stops to.
  func setVoiceFocus(_ key: SessionKey, _ isEnabled: Bool) {
    participant(key)?.isVoiceFocused = isEnabled
  }

  /// A packet of a participant came. Packets of unknown ones are ignored.
  ///
  /// - Parameter level: What it says of its level; `nil` if nothing.
  func receive(
    _ key: SessionKey, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    payload: Span<UInt8>, arrival: MediaTime
  ) {
    guard let participant = participant(key) else { return }
    participant.put(
      payload, sequence: sequence, timestamp: timestamp, level: level, arrival: arrival)
    list(participant)
  }

  /// A copy of a participant's earlier sound, behind the packet that brought it.
  ///
  /// - Parameter offset: How much older it is than the packet, in samples.
  func receiveCopy(
    _ key: SessionKey, offset: UInt32, before sequence: SequenceNumber, _ timestamp: UInt32,
    payload: Span<UInt8>, arrival: MediaTime
  ) {
    participant(key)?.putCopy(
      payload, offset: offset, before: sequence, timestamp, arrival: arrival)
  }

  /// A packet of a participant that may not be heard now, and may be soon: nobody hears it, but
  /// when it may be heard no time is lost to learn how evenly its packets come.
  func follow(
    _ key: SessionKey, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    payload: Span<UInt8>, arrival: MediaTime
  ) {
    guard let participant = participant(key), !participant.mayBeHeard else { return }
    participant.follow(
      payload, sequence: sequence, timestamp: timestamp, level: level, arrival: arrival)
  }

  /// Collects what a participant should send again.
  ///
  /// - Parameters:
  ///   - roundTripUs: How long that takes.
  ///   - numbers: Is emptied first.
  func takeMissing(
    of key: SessionKey, within roundTripUs: Int64, at now: MediaTime,
    into numbers: inout [SequenceNumber]
  ) {
    numbers.removeAll(keepingCapacity: true)
    guard let participant = participant(key), participant.mayBeHeard else { return }
    participant.buffer.takeMissing(within: roundTripUs, at: now, into: &numbers)
  }

  /// Has ticks look at it, if there is something to see.
  private func list(_ participant: AudioParticipant) {
    guard participant.isActive, !participant.isListed else { return }
    participant.isListed = true
    active.append(participant)
  }

  /// How a participant's audio goes; `nil` if there is none with this key.
  func statistics(of key: SessionKey) -> AudioStatistics? {
    guard let participant = participant(key) else { return nil }
    var statistics = participant.statistics
    statistics.heardConcealed = participant.heard.heard(at: othersConcealed(participant))
    return statistics
  }

  private func noteHearing(of participant: AudioParticipant) {
    let count = othersConcealed(participant)
    guard participant.isListening else { return participant.heard.end(at: count) }
    participant.heard.begin(at: count)
  }

  /// The concealed packets in the mix without a participant's own.
  private func othersConcealed(_ participant: AudioParticipant) -> Int {
    counters.concealed - participant.mixedConcealed
  }

  /// Mixes the next 20 ms. A tick that is late by less than 200 ms is made up for by the next ones
  /// coming sooner; what ticks were left out beyond that shows in the timestamps.
  ///
  /// - Parameters:
  ///   - deliver: Called for each packet made.
  ///   - talk: Called for each talker, if anybody wants to know; costs nothing when absent.
  func tick(at now: MediaTime, deliver: Deliver, talk: Talk? = nil) {
    advance(to: now)
    guard !isIdle else {
      past.clear()
      return
    }
    counters.ticks += 1
    for participant in active { participant.pull(at: now) }
    chooseDecodes()
    if talk != nil { chooseTalkers() }
    decode(at: now)
    if let talk { report(talk) } else if isReporting { forgetTalks() }
    isReporting = talk != nil
    seat()
    mix(deliver)
    endTick()
    timestamp &+= UInt32(VoiceDecoder.frameSize)
  }

  func participant(_ key: SessionKey) -> AudioParticipant? {
    key.index < participants.count ? participants[key.index] : nil
  }

  private func advance(to now: MediaTime) {
    let expected = nextTick ?? now
    let missed = now.microseconds(since: expected) / Self.tickUs
    // Small delays are the caller's to make up for; larger ones were time in which nobody ticked.
    let skipped = missed >= 10 || (isIdle && missed > 0) ? missed : 0
    timestamp &+= UInt32(truncatingIfNeeded: skipped * Int64(VoiceDecoder.frameSize))
    nextTick = expected.advanced(byUs: (skipped + 1) * Self.tickUs)
    if isIdle { timestamp &+= UInt32(VoiceDecoder.frameSize) }
  }

  private func endTick() {
    releaseLeaving()
    var index = 0
    while index < active.count {
      let participant = active[index]
      participant.endTick()
      if participant.isActive {
        index += 1
      } else {
        participant.isListed = false
        active.swapAt(index, active.count - 1)
        active.removeLast()
      }
    }
  }
}
