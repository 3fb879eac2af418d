import MeetingModel
import Opus
import RTP

/// One participant of a ``MeetingAudio``. In each tick of 20 ms, the class converts the
/// participant's packets to one frame of sound.
final class AudioParticipant {
  /// The sound to play in one tick.
  enum TickAudio {
    /// No sound, or sound that no other participant may hear.
    case none
    /// Sound that the jitter buffer has returned and that the participant has not decoded yet.
    case pulled(PlayoutInstruction)
    /// Samples that an earlier tick decoded from a longer packet.
    case ready
    /// A decoded frame.
    case heard
    /// Sound that the tick skipped without decoding.
    case skipped

    var isHeard: Bool {
      if case .heard = self { true } else { false }
    }
  }

  let key: SessionSlot
  let listens: Bool
  let mode: AudioMode
  /// Whether the sound belongs to a content share. The mix contains such sound in addition to the
  /// voices of the active speakers.
  let isShare: Bool

  var mayHear = true
  /// The loss between the server and the participant, in percent.
  var expectedLoss = 0
  var mayBeHeard = true
  /// Whether the participant has left the meeting. Its last sound still fades out.
  var isRemoved = false
  var isListed = false

  var buffer = JitterBuffer()
  /// The decoder. The first decoding creates it.
  var voice: VoiceDecoder?
  var isVoiceFocused = false
  var refused = 0
  private var sendsStereo = false

  /// The last packet that arrived while other participants could not hear this participant; `nil`
  /// if there is none.
  private var early: EarlyAudioPacket?

  var sound = TickAudio.none
  /// The number of samples that earlier ticks took from a long packet without decoding them.
  private var skippedCount = 0
  var level = VoiceLevel()

  /// The count of other participants' concealed packets in the mixes that the participant heard.
  var heard = ListenerConcealedPackets()
  /// The number of the participant's own concealed packets that were in the mix. For a participant
  /// with a content share, the number includes the share's packets.
  private(set) var mixedConcealed = 0
  /// The number of the participant's concealed packets up to the last tick, including packets
  /// outside the mix.
  private var lastConcealed = 0
  private var lastPull: MonotonicTime?

  /// Whether the participant is an active speaker, whom other participants hear.
  var isSeated = false
  /// Whether the participant stopped being an active speaker in this tick.
  var isLeaving = false
  var quietTicks = 0

  /// Whether other participants hear the sound of this content share.
  var isHeardShare = false
  /// The participant of the attendee who owns this content share; `nil` if the attendee has no
  /// other session.
  var sharer: AudioParticipant?
  /// Whether other participants hear this participant's content share. The participant then gets a
  /// mix without the share's sound, because the participant's own device plays this sound.
  var isSharing = false

  /// Whether the last frame contained the participant's voice. `isMixed` says whether the present
  /// frame contains the voice, and `isEnding` says whether the voice ends in the present frame.
  var wasMixed = false
  var isMixed = false
  var isEnding = false
  /// Whether this tick decodes the participant's sound.
  var isChosen = false
  /// The mix without the participant's own sound. This mix exists while ``needsOwnMix`` is true and
  /// the participant listens.
  var output: MixOutput?

  /// The arrival time of the last played packet.
  private(set) var packetTime = MonotonicTime(microseconds: 0)
  /// The time at which the talker spoke the end of the recorded speech, derived from packet
  /// arrivals.
  private(set) var talkTime = MonotonicTime(microseconds: 0)
  /// The recorder of the participant's speech. The first request for transcription creates it.
  var recorder: TranscriptionSpeechRecorder?

  /// The value that stands for an unknown level of a packet.
  static let noLevel: UInt8 = 255

  init(_ key: SessionSlot, listens: Bool, mode: AudioMode, isShare: Bool) {
    self.key = key
    self.listens = listens
    self.mode = mode
    self.isShare = isShare
  }

  /// Whether the participant gets a mix.
  var isListening: Bool { listens && mayHear && !isRemoved }

  /// Whether the participant's mix differs from the common mix.
  var needsOwnMix: Bool { isSeated || isLeaving || isSharing }

  /// Whether others hear the participant: it is an active speaker, or a content share that sends
  /// sound.
  var isAdmitted: Bool { isSeated || isHeardShare }

  /// Whether ticks must process the participant.
  var isActive: Bool {
    buffer.isActive || isAdmitted || wasMixed || isTalking || (voice?.readyCount ?? 0) > 0
      || skippedCount > 0
      || (!isRemoved && level.smoothed.decibels > 1)
  }

  /// Whether the participant's recorder has begun a talk and not ended it.
  var isTalking: Bool { recorder?.isTalking ?? false }

  /// Records the frame of this tick. If samples belong to a talk, passes these samples to `body`.
  func record(_ body: (Span<Int16>, MonotonicTime) -> Void) {
    guard let voice, let recorder = recorder ?? (try? TranscriptionSpeechRecorder()) else { return }
    self.recorder = recorder
    if !recorder.isTalking { talkTime = packetTime }
    recorder.take(voice.mono, level.frame, at: talkTime, body)
    talkTime = talkTime.advanced(byUs: MeetingAudio.tickUs)
  }

  /// Records a tick without sound.
  func recordPause() {
    recorder?.pause()
    talkTime = talkTime.advanced(byUs: MeetingAudio.tickUs)
  }

  /// Whether the mixer adds the participant's voice in two channels.
  var isStereo: Bool { voice?.channels == 2 && !isVoiceFocused }

  /// Whether this tick must decode the participant, regardless of the level that its packets claim.
  /// There are three reasons: others hear the participant, Voice Focus must measure the
  /// participant's noise, or the participant's packets claim no level.
  var mustBeDecoded: Bool {
    switch sound {
    case .none, .skipped, .heard: false
    case .ready: true
    case .pulled: isAdmitted || !isShare && (isVoiceFocused || level.hint == nil)
    }
  }

  /// Whether the participant claims to be loud enough to become an active speaker, but the meeting
  /// does not decode the participant yet.
  var mayEnter: Bool { !isShare && isWaiting && claimedLoudness >= SpeakerRules.entry }

  /// Whether the participant is louder than an active speaker that the participant may replace.
  ///
  /// If the meeting does not trust the participant's claimed levels, one louder tick is enough. If
  /// the meeting trusts the levels, the participant must have been louder for
  /// ``SpeakerRules/louderTicks`` minus ``SpeakerRules/probeTicks`` consecutive ticks.
  var mayChallenge: Bool {
    let ticks = level.isTrusted ? SpeakerRules.louderTicks - SpeakerRules.probeTicks : 1
    return !isShare && isWaiting && level.louderTicks >= ticks
  }

  /// The level that the participant's packet claims, minus the observed overstatement.
  var claimedLoudness: Loudness { level.believedHint ?? .silence }

  /// The loudness that a challenger must exceed by ``SpeakerRules/margin`` to replace this speaker.
  var seatLoudness: Loudness {
    quietTicks >= SpeakerRules.pauseTicks ? .silence : level.mean
  }

  /// The rank of a participant that may replace an active speaker (a challenger). The tick decodes
  /// the challengers with the highest ranks.
  ///
  /// Challengers whose decoding has begun rank first, because their decoded sound will prove or
  /// refute their claimed levels within a few ticks. The other challengers follow, the loudest
  /// first.
  var challenge: Loudness {
    level.measuredTicks > 0 ? level.mean + Loudness.greatest.decibels : level.mean
  }

  /// Whether the participant has a packet that this tick does not decode yet.
  var isWaiting: Bool {
    guard case .pulled = sound else { return false }
    return !isChosen
  }

  func put(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    arrival: MonotonicTime
  ) {
    guard let packet = OpusPacket(payload) else {
      refused += 1
      return
    }
    sendsStereo = packet.channels == 2
    _ = buffer.put(
      payload, sequence: sequence, timestamp: timestamp, sampleCount: packet.sampleCount,
      arrival: arrival, note: level?.attenuation ?? Self.noLevel,
      hasRedundancy: packet.hasRedundancy)
    if !mayBeHeard { buffer.discardAll() }
  }

  /// Stores a copy of an earlier packet of the same stream.
  ///
  /// - Parameters:
  ///   - offset: The time from the earlier packet to the packet that contains the copy, in samples.
  ///   - sequence: The sequence number of the packet that contains the copy.
  ///   - timestamp: The timestamp of the packet that contains the copy.
  func putCopy(
    _ payload: Span<UInt8>, offset: UInt32, before sequence: SequenceNumber, _ timestamp: UInt32,
    arrival: MonotonicTime
  ) {
    // This code assumes that all packets of a sender have the same length. A browser's packets
    // contain 20 ms of sound each.
    guard mayBeHeard, offset > 0, let packet = OpusPacket(payload),
      let samples = UInt32(exactly: packet.sampleCount), offset.isMultiple(of: samples)
    else { return }
    let distance = UInt16(truncatingIfNeeded: offset / samples)
    _ = buffer.putCopy(
      payload, sequence: sequence.advanced(by: -Int(distance)), timestamp: timestamp &- offset,
      sampleCount: packet.sampleCount, arrival: arrival, note: Self.noLevel)
  }

  /// Stores the newest packet of a participant whom others cannot hear yet.
  /// ``beginBeingHeard(at:)`` later plays this packet.
  func follow(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    arrival: MonotonicTime
  ) {
    buffer.follow(sequence: sequence, timestamp: timestamp, arrival: arrival)
    early = EarlyAudioPacket(
      payload, sequence: sequence, timestamp: timestamp, level: level, arrival: arrival)
  }

  /// Begins to play the participant's sound in the next tick, starting with the stored packet if
  /// that packet is recent enough.
  func beginBeingHeard(at now: MonotonicTime) {
    guard let packet = early else { return }
    early = nil
    guard now.microseconds(since: packet.arrival) <= EarlyAudioPacket.longestWaitUs else { return }
    put(
      packet.payload.span, sequence: packet.sequence, timestamp: packet.timestamp,
      level: packet.level, arrival: packet.arrival)
  }

  /// Discards the packets and samples that are not in a mix yet.
  func hush() {
    early = nil
    buffer.discardAll()
    voice?.discardAll()
    skippedCount = 0
    sound = .none
  }

  /// Discards everything that ``hush()`` discards. Also ends the participant's last sound and the
  /// participant's own mix, without a fade.
  func interrupt() {
    hush()
    wasMixed = false
    output?.reset()
  }

  /// Determines the sound to play in this tick.
  func pull(at now: MonotonicTime) {
    isChosen = false
    level.beginTick(after: ticksSinceLastPull(at: now))
    findSound(at: now)
    if case .none = sound { level.rest() }
  }

  private func ticksSinceLastPull(at now: MonotonicTime) -> Int {
    defer { lastPull = now }
    guard let lastPull else { return 1 }
    return max(1, Int(now.microseconds(since: lastPull) / MeetingAudio.tickUs))
  }

  private func findSound(at now: MonotonicTime) {
    if let voice, voice.readyCount >= VoiceDecoder.frameSize {
      sound = .ready
      return
    }
    if skippedCount >= VoiceDecoder.frameSize {
      skippedCount -= VoiceDecoder.frameSize
      sound = .skipped
      return
    }
    let playout = buffer.pull(at: now)
    switch playout {
    case .nothing:
      skippedCount = 0
      sound = (voice?.readyCount ?? 0) > 0 ? .ready : .none
    case .packet(let packet), .shortened(let packet):
      // The level in a packet includes the noise that Voice Focus removes, so the level does not
      // apply.
      level.takePacket(isVoiceFocused ? nil : label(of: packet))
      packetTime = buffer.arrival(of: packet)
      sound = .pulled(playout)
    case .redundancy(let packet, _):
      level.conceal()
      packetTime = buffer.arrival(of: packet)
      sound = .pulled(playout)
    case .concealment:
      level.conceal()
      sound = .pulled(playout)
    }
  }

  private func label(of packet: PlayoutInstruction.Packet) -> Loudness? {
    let note = buffer.note(of: packet)
    return note == Self.noLevel ? nil : Loudness(attenuation: note)
  }

  /// Takes the sound of this tick from the buffer without decoding it.
  func skip(at now: MonotonicTime) {
    if case .none = sound { return }
    level.skip()
    guard case .pulled(var playout) = sound else { return }
    sound = .skipped
    while true {
      switch playout {
      case .packet(let packet): skippedCount += packet.sampleCount
      case .shortened: break
      case .redundancy(_, let sampleCount), .concealment(let sampleCount):
        skippedCount += sampleCount
      case .nothing: skippedCount = VoiceDecoder.frameSize
      }
      guard skippedCount < VoiceDecoder.frameSize else { break }
      playout = buffer.pull(at: now)
    }
    skippedCount -= VoiceDecoder.frameSize
  }

  /// Decodes the frame of this tick.
  ///
  /// - Returns: `false` if there is too little memory for a decoder.
  func decode(at now: MonotonicTime, isStereoWanted: Bool, suppression: Int) -> Bool {
    guard let voice = voice ?? (try? VoiceDecoder()) else {
      sound = .none
      return false
    }
    self.voice = voice
    skippedCount = 0
    if isStereoWanted, sendsStereo { voice.useStereo() }
    if voice.isVoiceFocused != isVoiceFocused {
      voice.setVoiceFocus(suppression: isVoiceFocused ? suppression : nil)
    }
    if case .pulled(var playout) = sound {
      while true {
        guard decode(playout, voice, at: now), voice.readyCount < VoiceDecoder.frameSize else {
          break
        }
        playout = buffer.pull(at: now)
      }
    }
    voice.takeFrame()
    sound = .heard
    level.measure(Loudness(of: voice.mono, count: VoiceDecoder.frameSize))
    return true
  }

  /// Creates a last frame that fades. The decoder derives this frame from the earlier sound.
  func decodeEnd() {
    guard let voice else { return }
    voice.discardAll()
    voice.takeFrame()
  }

  /// If the participant's voice begins or ends in this frame, fades the voice in or out. Without
  /// the fade, listeners would hear a click.
  func fade() {
    guard let voice else { return }
    if isEnding {
      voice.fadeOut(samples: sound.isHeard ? Fade.samples : Fade.shortSamples)
    } else if !wasMixed {
      voice.fadeIn()
    }
  }

  /// Counts the packets that the jitter buffer concealed since the last tick.
  ///
  /// - Returns: The number of these packets if the participant's voice is in the mix; otherwise 0.
  func takeConcealed() -> Int {
    let concealed = isMixed ? buffer.counters.concealed - lastConcealed : 0
    lastConcealed = buffer.counters.concealed
    mixedConcealed += concealed
    sharer?.mixedConcealed += concealed
    return concealed
  }

  /// Ends the tick.
  func endTick() {
    wasMixed = isMixed && !isEnding
    isMixed = false
    isEnding = false
  }

  /// - Returns: `false` if the decoder has no sound left to decode.
  private func decode(_ playout: PlayoutInstruction, _ voice: VoiceDecoder, at now: MonotonicTime)
    -> Bool
  {
    switch playout {
    case .packet(let packet):
      decode(packet, voice)
    case .shortened(let first):
      let before = voice.readyCount
      decode(first, voice)
      let between = voice.readyCount
      guard case .packet(let second) = buffer.pull(at: now) else { return true }
      decode(second, voice)
      voice.merge(between - before, with: voice.readyCount - between)
    case .redundancy(let packet, let sampleCount):
      buffer.withPayload(of: packet) { voice.decodeRedundancy(of: $0, sampleCount: sampleCount) }
    case .concealment(let sampleCount):
      voice.conceal(sampleCount: sampleCount)
    case .nothing:
      return false
    }
    return true
  }

  private func decode(_ packet: PlayoutInstruction.Packet, _ voice: VoiceDecoder) {
    buffer.withPayload(of: packet) { voice.decode($0, sampleCount: packet.sampleCount) }
  }
}
