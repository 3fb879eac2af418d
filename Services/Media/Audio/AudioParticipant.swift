import MeetingModel
import Opus
import RTP

/// One participant of a ``MeetingAudio``: what it sends on its way to a frame per tick.
final class AudioParticipant {
  /// What a tick found to play.
  enum Sound {
    /// Nothing, or nothing that may be heard.
    case none
    /// Pulled and not decoded yet.
    case pulled(Playout)
    /// Decoded before: part of a longer packet.
    case ready
    /// A frame of it is there.
    case heard
    /// Played out without a look.
    case skipped

    var isHeard: Bool {
      if case .heard = self { true } else { false }
    }
  }

  let key: SessionKey
  let listens: Bool
  let mode: AudioMode

  var mayHear = true
  var mayBeHeard = true
  /// Not of the meeting any longer; only its last sound fades.
  var isRemoved = false
  var isListed = false

  var buffer = JitterBuffer()
  /// Made when it is first decoded.
  var voice: VoiceDecoder?
  var isVoiceFocused = false
  var refused = 0
  private var sendsStereo = false

  /// What came last while it might not be heard.
  private var early: EarlyPacket?

  var sound = Sound.none
  /// What was pulled and not decoded, of packets longer than a tick.
  private var skippedCount = 0
  var level = VoiceLevel()

  /// The concealed packets of others that it heard.
  var heard = HeardConcealment()
  /// Its own concealed packets that were in the mix.
  private(set) var mixedConcealed = 0
  /// Its concealed packets up to the last tick, whether or not they were in the mix.
  private var lastConcealed = 0
  private var lastPull: MediaTime?

  /// Whether it is one of those who are heard.
  var isSeated = false
  /// Whether it lost its seat in this tick.
  var isLeaving = false
  var quietTicks = 0
  /// Whether its voice was in the last frame, is in this one, and ends in it.
  var wasMixed = false
  var isMixed = false
  var isEnding = false
  /// Whether it was chosen to be decoded in this tick.
  var isChosen = false
  /// The mix without itself, while it is heard and listens.
  var output: MixOutput?

  /// When the packet came that was played last.
  private(set) var packetTime = MediaTime(microseconds: 0)
  /// Up to when what was told for transcription was spoken, as far as packets tell.
  private(set) var talkTime = MediaTime(microseconds: 0)
  /// Made when somebody wants to know what it says.
  var recorder: TalkRecorder?

  /// Marks packets whose level is not known.
  static let noLevel: UInt8 = 255

  init(_ key: SessionKey, listens: Bool, mode: AudioMode) {
    self.key = key
    self.listens = listens
    self.mode = mode
  }

  /// Whether it is to be sent a mix.
  var isListening: Bool { listens && mayHear && !isRemoved }

  /// Whether ticks have to look at it.
  var isActive: Bool {
    buffer.isActive || isSeated || wasMixed || isTalking || (voice?.readyCount ?? 0) > 0
      || skippedCount > 0
      || (!isRemoved && level.smoothed.decibels > 1)
  }

  /// Whether it is in the middle of what is told for transcription.
  var isTalking: Bool { recorder?.isTalking ?? false }

  /// Tells the frame of this tick, if it belongs to a talk.
  func record(_ body: (Span<Int16>, MediaTime) -> Void) {
    guard let voice, let recorder = recorder ?? (try? TalkRecorder()) else { return }
    self.recorder = recorder
    if !recorder.isTalking { talkTime = packetTime }
    recorder.take(voice.mono, level.frame, at: talkTime, body)
    talkTime = talkTime.advanced(byUs: MeetingAudio.tickUs)
  }

  /// It sends nothing in the middle of a talk.
  func recordPause() {
    recorder?.pause()
    talkTime = talkTime.advanced(byUs: MeetingAudio.tickUs)
  }

  /// Whether it sends two channels.
  var isStereo: Bool { voice?.channels == 2 && !isVoiceFocused }

  /// Whether it is decoded whatever it says of itself: to be heard, to learn its noise, or since it
  /// says nothing.
  var mustBeDecoded: Bool {
    switch sound {
    case .none, .skipped, .heard: false
    case .ready: true
    case .pulled: isSeated || isVoiceFocused || level.hint == nil
    }
  }

  /// Whether it waits for a free seat and says that it is loud enough for one.
  var mayEnter: Bool { isWaiting && claimedLoudness >= SpeakerRules.entry }

  /// Whether it waits for another one's seat and is louder than that one: nearly long enough if it
  /// is trusted, and else from the first tick on.
  var mayChallenge: Bool {
    let ticks = level.isTrusted ? SpeakerRules.louderTicks - SpeakerRules.probeTicks : 1
    return isWaiting && level.louderTicks >= ticks
  }

  /// What its packet says, as far as it is believed.
  var claimedLoudness: Loudness { level.believedHint ?? .silence }

  /// How loud somebody else must be to take its seat, the margin aside.
  var seatLoudness: Loudness {
    quietTicks >= SpeakerRules.pauseTicks ? .silence : level.mean
  }

  /// Who is decoded first of those who may challenge: those who are being looked at, who are as
  /// loud as they say or are soon found out, and then the loudest.
  var challenge: Loudness {
    level.measuredTicks > 0 ? level.mean + Loudness.greatest.decibels : level.mean
  }

  /// Whether there is a packet that nobody has chosen to decode.
  private var isWaiting: Bool {
    guard case .pulled = sound else { return false }
    return !isChosen
  }

  func put(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    arrival: MediaTime
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

  /// Takes a copy of an earlier packet of the same sound.
  ///
  /// - Parameters:
  ///   - offset: How much older it is than the packet that brings it, in samples.
  ///   - sequence: Of the packet that brings it.
  ///   - timestamp: The same.
  func putCopy(
    _ payload: Span<UInt8>, offset: UInt32, before sequence: SequenceNumber, _ timestamp: UInt32,
    arrival: MediaTime
  ) {
    // Senders repeat packets as long as the one that brings them; a browser's have 20 ms.
    guard mayBeHeard, offset > 0, let packet = OpusPacket(payload),
      let samples = UInt32(exactly: packet.sampleCount), offset.isMultiple(of: samples)
    else { return }
    let distance = UInt16(truncatingIfNeeded: offset / samples)
    _ = buffer.putCopy(
      payload, sequence: sequence.advanced(by: -Int(distance)), timestamp: timestamp &- offset,
      sampleCount: packet.sampleCount, arrival: arrival, note: Self.noLevel)
  }

  /// Notes a packet of one who may not be heard yet, and may be at any moment.
  func follow(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    arrival: MediaTime
  ) {
    buffer.follow(sequence: sequence, timestamp: timestamp, arrival: arrival)
    early = EarlyPacket(
      payload, sequence: sequence, timestamp: timestamp, level: level, arrival: arrival)
  }

  /// It may be heard from now on: what it is just saying is, from the next tick on.
  func beginBeingHeard(at now: MediaTime) {
    guard let packet = early else { return }
    early = nil
    guard now.microseconds(since: packet.arrival) <= EarlyPacket.longestWaitUs else { return }
    put(
      packet.payload.span, sequence: packet.sequence, timestamp: packet.timestamp,
      level: packet.level, arrival: packet.arrival)
  }

  /// Throws away what it sent and nobody heard yet.
  func hush() {
    early = nil
    buffer.discardAll()
    voice?.discardAll()
    skippedCount = 0
    sound = .none
  }

  /// The same, and what was heard last ends without a fade; so does what it hears.
  func interrupt() {
    hush()
    wasMixed = false
    output?.reset()
  }

  /// Finds what to play in this tick.
  func pull(at now: MediaTime) {
    isChosen = false
    level.beginTick(after: ticksSinceLastPull(at: now))
    findSound(at: now)
    if case .none = sound { level.rest() }
  }

  private func ticksSinceLastPull(at now: MediaTime) -> Int {
    defer { lastPull = now }
    guard let lastPull else { return 1 }
    return max(1, Int(now.microseconds(since: lastPull) / MeetingAudio.tickUs))
  }

  private func findSound(at now: MediaTime) {
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
      // Noise that is taken out is in the level that a packet says.
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

  private func label(of packet: Playout.Packet) -> Loudness? {
    let note = buffer.note(of: packet)
    return note == Self.noLevel ? nil : Loudness(attenuation: note)
  }

  /// Plays out without decoding.
  func skip(at now: MediaTime) {
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

  /// Decodes a frame.
  ///
  /// - Returns: `false` if there is no decoder, for want of memory.
  func decode(at now: MediaTime, isStereoWanted: Bool, suppression: Int) -> Bool {
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

  /// The last sound fades: made up from what was heard before.
  func decodeEnd() {
    guard let voice else { return }
    voice.discardAll()
    voice.takeFrame()
  }

  /// Lets its voice in this frame begin or end without a click.
  func fade() {
    guard let voice else { return }
    if isEnding {
      voice.fadeOut(samples: sound.isHeard ? Fade.samples : Fade.shortSamples)
    } else if !wasMixed {
      voice.fadeIn()
    }
  }

  /// Counts the packets that were concealed since the last tick.
  ///
  /// - Returns: How many of them are in the mix.
  func takeConcealed() -> Int {
    let concealed = isMixed ? buffer.counters.concealed - lastConcealed : 0
    lastConcealed = buffer.counters.concealed
    mixedConcealed += concealed
    return concealed
  }

  /// The tick is over.
  func endTick() {
    wasMixed = isMixed && !isEnding
    isMixed = false
    isEnding = false
  }

  /// - Returns: `false` when there is nothing more to decode.
  private func decode(_ playout: Playout, _ voice: VoiceDecoder, at now: MediaTime) -> Bool {
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

  private func decode(_ packet: Playout.Packet, _ voice: VoiceDecoder) {
    buffer.withPayload(of: packet) { voice.decode($0, sampleCount: packet.sampleCount) }
  }
}
