import MeetingModel
import RTP

/// The audio of one meeting: receives the packets of its participants, and sends each listener one
/// mix.
///
/// The class uses no clock, socket or lock, and belongs to one actor. The actor passes in packets
/// as they arrive, and calls ``tick(at:deliver:talk:)`` every 20 ms. In each tick:
/// - each participant's jitter buffer provides the sound to play;
/// - the meeting decodes the participants whom other participants hear, or may hear within the next
///   ticks. The meeting uses the level that a packet claims (RFC 6464) only to skip the decoding of
///   quiet participants. If a claim is higher than the decoded level, the meeting subtracts the
///   difference from the participant's later claims. The meeting always decodes a participant whose
///   packets claim no level;
/// - the loudest few participants become the active speakers. These participants remain active
///   speakers during pauses between words, and while no other participant is louder by
///   ``SpeakerRules/margin``;
/// - the sound of up to ``AudioMixSettings/maxShares`` content shares is in the mix in addition;
/// - the meeting encodes one common mix for all listeners who are not active speakers. Each active
///   speaker gets a mix without its own voice, and an attendee who shares gets a mix without the
///   sound of the share.
///
/// While no participant speaks, the meeting mixes, encodes and sends nothing, apart from the 100 ms
/// of silence in which the last sound fades. Once the meeting has allocated its buffers, neither a
/// tick nor a packet causes an allocation.
final class MeetingAudio {
  /// Receives a packet of a mix that several listeners share.
  ///
  /// - Parameters:
  ///   - listeners: The listeners who receive the packet; never empty. The spans `listeners` and
  ///     `payload` are valid only during the call.
  ///   - payload: The Opus payload of the packet, 20 ms long.
  ///   - timestamp: The RTP timestamp of the packet, at 48 kHz.
  ///   - marker: Whether the packet is the first after a pause (RFC 3551, section 4.1).
  typealias Deliver = (
    _ listeners: Span<SessionSlot>, _ payload: Span<UInt8>, _ timestamp: UInt32,
    _ marker: Bool
  ) -> Void

  /// Receives the speech of a talker, for transcription.
  ///
  /// - Parameters:
  ///   - samples: One channel at 16 kHz, 20 ms or a little less. The last call may pass no samples.
  ///   - start: The arrival time of the first sample.
  ///   - isLast: Whether the talk has ended, because the talker fell silent, left or was muted.
  typealias Talk = (
    _ talker: SessionSlot, _ samples: Span<Int16>, _ start: MonotonicTime, _ isLast: Bool
  ) -> Void

  /// The length of a tick, in microseconds.
  static let tickUs: Int64 = 20_000

  let settings: AudioMixSettings
  var counters = MeetingAudioCounters()
  /// The RTP timestamp of the next tick's packets.
  private(set) var timestamp: UInt32

  /// The participants, at the indices of their keys.
  var participants: [AudioParticipant?] = []
  /// The participants that ticks must process.
  var active: [AudioParticipant] = []
  /// The active speakers.
  var seated: [AudioParticipant] = []
  /// The participants that stopped being active speakers in this tick.
  var leaving: [AudioParticipant] = []
  /// The content shares, in the order in which the meeting added them.
  var shares: [AudioParticipant] = []
  /// The content shares whose sound is in the mix.
  var heardShares: [AudioParticipant] = []
  /// The content shares whose sound left the mix in this tick.
  var endingShares: [AudioParticipant] = []

  var mixer = Mixer()
  var commonOutputs: [MixOutput?] = Array(repeating: nil, count: MixKind.allCases.count)
  var spareOutputs: [[MixOutput]] = Array(repeating: [], count: MixKind.allCases.count)
  /// The listeners of the common mix, by kind.
  ///
  /// The next tick rebuilds the lists if `audienceChanged` is set.
  var audiences: [[SessionSlot]] = Array(repeating: [], count: MixKind.allCases.count)
  /// The highest loss among the listeners of each common mix, in percent.
  var audienceLosses: [Int] = Array(repeating: 0, count: MixKind.allCases.count)
  var audienceChanged = false
  /// Whether a listener requests stereo.
  var isStereoWanted = false
  /// The number of ticks for which stereo remains after the last stereo voice.
  var stereoTicksLeft = 0

  /// The common mix of this tick. `past` contains the mixes of the last ticks.
  var common = MixFrame()
  var past = MixHistory()
  /// The listeners that get a mix without their own sound. The next tick rebuilds the list if
  /// `audienceChanged` is set.
  var ownListeners: [AudioParticipant] = []
  /// The mix without a listener's own sound.
  var own = MixFrame()
  var ownKey: [SessionSlot] = [SessionSlot(0)]

  private var nextTick: MonotonicTime?
  /// Whether the last tick reported speech.
  private var isReporting = false

  /// - Parameter timestamp: The timestamp of the first packet. RFC 3550 requires a random value.
  init(settings: AudioMixSettings = AudioMixSettings(), timestamp: UInt32) {
    precondition(settings.maxSpeakers > 0, "At least one speaker must be heard.")
    self.settings = settings
    self.timestamp = timestamp
  }

  /// Whether a tick would change nothing and send nothing.
  ///
  /// While this is true, the caller may omit ticks until a packet arrives.
  var isIdle: Bool { active.isEmpty && !isSending }

  /// The number of active speakers.
  var speakerCount: Int { seated.count }

  /// Adds a participant that may hear others, and that others may hear.
  ///
  /// Removes a former participant that has the same key.
  ///
  /// - Parameters:
  ///   - listens: Whether the participant's client can receive a mix.
  ///   - isShare: Whether the participant is a content share.
  func add(_ key: SessionSlot, listens: Bool, mode: AudioMode, isShare: Bool = false) {
    remove(key)
    if key.index >= participants.count {
      participants += Array(repeating: nil, count: key.index + 1 - participants.count)
    }
    let participant = AudioParticipant(key, listens: listens, mode: mode, isShare: isShare)
    if listens { participant.heard.begin(at: counters.concealed) }
    participants[key.index] = participant
    if isShare { shares.append(participant) }
    audienceChanged = true
  }

  /// Removes a participant and stops its sound. A second call has no effect.
  func remove(_ key: SessionSlot) {
    guard let participant = participant(key) else { return }
    participant.isRemoved = true
    participant.mayBeHeard = false
    participant.hush()
    release(&participant.output)
    participants[key.index] = nil
    removeFromShares(participant)
    audienceChanged = true
  }

  /// Sets whether a participant gets mixes.
  func setMayHear(_ key: SessionSlot, _ mayHear: Bool) {
    guard let participant = participant(key), participant.mayHear != mayHear else { return }
    participant.mayHear = mayHear
    noteHearing(of: participant)
    if !mayHear { release(&participant.output) }
    audienceChanged = true
  }

  /// Sets the loss between the server and a listener.
  ///
  /// If a mix has a listener with losses, packets of this mix also contain a copy of the previous
  /// packet (in-band FEC, RFC 6716, section 2.1.7). A mix whose listeners lose nothing has no
  /// copies, because copies cost quality and processor time.
  ///
  /// - Parameter percent: The share of lost packets, in percent.
  func setExpectedLoss(of key: SessionSlot, _ percent: Int) {
    guard let participant = participant(key), participant.expectedLoss != percent else { return }
    participant.expectedLoss = percent
    audienceChanged = true
  }

  /// Sets whether others may hear a participant.
  ///
  /// `false` takes effect with the next tick, also for sound that has already arrived. Only the
  /// last sound fades, for 5 ms.
  ///
  /// - Parameter now: The present time. If the caller passes a time, others hear the participant
  ///   starting with the last packet that the caller passed to
  ///   ``follow(_:sequence:timestamp:level:payload:arrival:)``. If the time is `nil`, others hear
  ///   the participant starting with its next packet.
  func setMayBeHeard(_ key: SessionSlot, _ mayBeHeard: Bool, at now: MonotonicTime? = nil) {
    guard let participant = participant(key) else { return }
    let wasHeard = participant.mayBeHeard
    participant.mayBeHeard = mayBeHeard
    // `hush()` also discards the packets of a participant whom nobody was allowed to hear before
    // this call, for example a viewer who mutes itself.
    guard mayBeHeard else { return participant.hush() }
    guard !wasHeard, let now else { return }
    participant.beginBeingHeard(at: now)
    list(participant)
  }

  /// Starts or stops removing steady noise from a participant's sound, from the next packet on.
  func setVoiceFocus(_ key: SessionSlot, _ isEnabled: Bool) {
    participant(key)?.isVoiceFocused = isEnabled
  }

  /// Stores a packet of a participant.
  ///
  /// Ignores packets of unknown participants.
  ///
  /// - Parameter level: The level that the packet claims; `nil` if the packet claims no level.
  func receive(
    _ key: SessionSlot, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    payload: Span<UInt8>, arrival: MonotonicTime
  ) {
    guard let participant = participant(key) else { return }
    participant.put(
      payload, sequence: sequence, timestamp: timestamp, level: level, arrival: arrival)
    list(participant)
  }

  /// Stores a copy of a participant's earlier sound. The caller first passes in the packet that
  /// contained the copy, and then the copy.
  ///
  /// - Parameter offset: The time from the copied sound to the packet that contained the copy, in
  ///   samples.
  func receiveCopy(
    _ key: SessionSlot, offset: UInt32, before sequence: SequenceNumber, _ timestamp: UInt32,
    payload: Span<UInt8>, arrival: MonotonicTime
  ) {
    participant(key)?.putCopy(
      payload, offset: offset, before: sequence, timestamp, arrival: arrival)
  }

  /// Records a packet of a participant whom others cannot hear now, but may hear after a promotion.
  ///
  /// The meeting does not play the packet's sound. The jitter buffer measures the jitter from the
  /// packet's arrival, so that the participant's sound later starts without a delay.
  func follow(
    _ key: SessionSlot, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    payload: Span<UInt8>, arrival: MonotonicTime
  ) {
    guard let participant = participant(key), !participant.mayBeHeard else { return }
    participant.follow(
      payload, sequence: sequence, timestamp: timestamp, level: level, arrival: arrival)
  }

  /// Collects the packets that a participant should send again.
  ///
  /// - Parameters:
  ///   - roundTripUs: The time that a retransmission takes, in microseconds.
  ///   - numbers: The packets' sequence numbers. The method first empties the array.
  func takeMissing(
    of key: SessionSlot, within roundTripUs: Int64, at now: MonotonicTime,
    into numbers: inout [SequenceNumber]
  ) {
    numbers.removeAll(keepingCapacity: true)
    guard let participant = participant(key), participant.mayBeHeard else { return }
    participant.buffer.takeMissing(within: roundTripUs, at: now, into: &numbers)
  }

  /// Adds an active participant to the participants that ticks process.
  private func list(_ participant: AudioParticipant) {
    guard participant.isActive, !participant.isListed else { return }
    participant.isListed = true
    active.append(participant)
  }

  /// Returns the statistics of a participant's audio; `nil` if no participant has this key.
  func statistics(of key: SessionSlot) -> AudioStatistics? {
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

  /// Returns the number of concealed packets in the mix, not counting a participant's own packets.
  private func othersConcealed(_ participant: AudioParticipant) -> Int {
    counters.concealed - participant.mixedConcealed
  }

  /// Mixes the next 20 ms.
  ///
  /// After a delay of less than 200 ms, the caller makes up for the missed ticks. After a longer
  /// delay, the missed ticks only advance the timestamps.
  ///
  /// - Parameters:
  ///   - deliver: Called for each encoded packet.
  ///   - talk: Called for each talker if `transcription` requests speech; `nil` if `transcription`
  ///     requests no speech.
  func tick(at now: MonotonicTime, deliver: Deliver, talk: Talk? = nil) {
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

  func participant(_ key: SessionSlot) -> AudioParticipant? {
    key.index < participants.count ? participants[key.index] : nil
  }

  private func advance(to now: MonotonicTime) {
    let expected = nextTick ?? now
    let missed = now.microseconds(since: expected) / Self.tickUs
    // If fewer than ten ticks are missing, the caller makes up for the missing ticks. This method
    // skips ten or more missing ticks, and skips any missing ticks while `isIdle` is true.
    let skipped = missed >= 10 || (isIdle && missed > 0) ? missed : 0
    timestamp &+= UInt32(truncatingIfNeeded: skipped * Int64(VoiceDecoder.frameSize))
    nextTick = expected.advanced(byUs: (skipped + 1) * Self.tickUs)
    if isIdle { timestamp &+= UInt32(VoiceDecoder.frameSize) }
  }

  private func endTick() {
    releaseLeaving()
    releaseEndingShares()
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
