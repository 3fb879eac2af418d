import MeetingModel

// Mixes and encodes the sound for listeners.
extension MeetingAudio {
  /// Whether the meeting sends packets, including the silence after the last sound.
  var isSending: Bool { commonOutputs.contains { $0?.isSending == true } }

  /// Mixes, encodes and delivers the frame of this tick.
  func mix(_ deliver: Deliver) {
    for participant in active { counters.concealed += participant.takeConcealed() }
    noteStereo()
    if audienceChanged { gatherAudiences() }
    mixCommon()
    for kind in MixKind.allCases { sendCommon(kind, deliver) }
    for participant in ownListeners { sendOwn(participant, deliver) }
    past.append(&common)
  }

  /// Makes the former active speakers listen to the common mix, from the next tick on.
  func releaseLeaving() {
    guard !leaving.isEmpty else { return }
    for participant in leaving {
      participant.isLeaving = false
      if !participant.needsOwnMix { returnToCommonMix(participant) }
    }
    leaving.removeAll(keepingCapacity: true)
    audienceChanged = true
  }

  /// Ends a listener's own mix. The listener hears the common mix from the next tick on.
  func returnToCommonMix(_ participant: AudioParticipant) {
    release(&participant.output)
    guard participant.isListening else { return }
    let kind = MixKind(for: participant.mode, isStereo: isStereo)
    commonOutputs[kind.rawValue]?.welcome()
  }

  /// Keeps an encoder for the next listener that needs a mix of this kind.
  func release(_ output: inout MixOutput?) {
    guard let released = output else { return }
    released.reset()
    spareOutputs[released.kind.rawValue].append(released)
    output = nil
  }

  private var isStereo: Bool { stereoTicksLeft > 0 }

  /// Updates whether listeners that request stereo get two channels.
  private func noteStereo() {
    let wasStereo = isStereo
    if isStereoWanted, active.contains(where: { $0.isMixed && $0.isStereo }) {
      stereoTicksLeft = SpeakerRules.stereoTicks
    } else if stereoTicksLeft > 0 {
      stereoTicksLeft -= 1
    }
    if isStereo != wasStereo { audienceChanged = true }
  }

  private func gatherAudiences() {
    audienceChanged = false
    isStereoWanted = false
    for index in audiences.indices {
      audiences[index].removeAll(keepingCapacity: true)
      audienceLosses[index] = 0
    }
    ownListeners.removeAll(keepingCapacity: true)
    for case let participant? in participants where participant.isListening {
      if participant.mode == .stereo48K { isStereoWanted = true }
      guard !participant.needsOwnMix else {
        ownListeners.append(participant)
        continue
      }
      let kind = MixKind(for: participant.mode, isStereo: isStereo)
      audiences[kind.rawValue].append(participant.key)
      audienceLosses[kind.rawValue] = max(audienceLosses[kind.rawValue], participant.expectedLoss)
    }
  }

  private func mixCommon() {
    guard active.contains(where: { $0.isMixed }) else {
      if common.hasSound { common.clear() }
      return
    }
    mixer.begin(isStereo: isStereo)
    for participant in active where participant.isMixed {
      guard let voice = participant.voice else { continue }
      mixer.add(voice.mono, stereo: voice.stereo)
    }
    mixer.finish()
    common.hasSound = true
    mixer.writeMono(without: nil, to: &common.mono)
    common.isStereo = isStereo
    guard isStereo else { return }
    common.prepareStereo()
    mixer.writeStereo(without: nil, to: &common.stereo)
  }

  private func sendCommon(_ kind: MixKind, _ deliver: Deliver) {
    guard !audiences[kind.rawValue].isEmpty else {
      commonOutputs[kind.rawValue]?.pause()
      return
    }
    guard let output = commonOutputs[kind.rawValue] ?? makeOutput(kind) else { return }
    commonOutputs[kind.rawValue] = output
    output.expect(loss: audienceLosses[kind.rawValue])
    // If this output did not encode the previous frame, its present listeners received that frame
    // from other outputs.
    if past.hasSound, output.lastTick &+ 1 != tickNumber { past.show(to: output) }
    if kind == .stereo48K { common.spreadIfNeeded() }
    let audience = audiences[kind.rawValue]
    send(output, common.samples(kind), hasSound: common.hasSound) { payload, marker in
      deliver(audience.span, payload, timestamp, marker)
    }
  }

  private func sendOwn(_ participant: AudioParticipant, _ deliver: Deliver) {
    guard participant.isListening else { return }
    let kind = MixKind(for: participant.mode, isStereo: isStereo)
    guard let output = ownOutput(of: participant, kind) else { return }
    output.expect(loss: participant.expectedLoss)
    let hasSound = active.contains {
      $0.isMixed && $0 !== participant && $0.sharer !== participant
    }
    if hasSound {
      let voice = participant.isMixed ? participant.voice : nil
      writeOwn(without: voice, sharedSound(of: participant), kind)
    } else if output.isSending {
      own.clear()
      if kind == .stereo48K { own.spreadIfNeeded() }
    }
    ownKey[0] = participant.key
    let key = ownKey
    send(output, own.samples(kind), hasSound: hasSound) { payload, marker in
      deliver(key.span, payload, timestamp, marker)
    }
  }

  private func writeOwn(without voice: VoiceDecoder?, _ share: VoiceDecoder?, _ kind: MixKind) {
    let (first, second) = voice == nil ? (share, nil) : (voice, share)
    own.isStereo = kind == .stereo48K
    guard own.isStereo else {
      mixer.writeMono(without: first?.mono, second?.mono, to: &own.mono)
      return
    }
    own.prepareStereo()
    mixer.writeStereo(without: first?.widest, second?.widest, to: &own.stereo)
  }

  /// Returns the mix without the participant's own sound. The first call creates this mix.
  private func ownOutput(of participant: AudioParticipant, _ kind: MixKind) -> MixOutput? {
    if let output = participant.output, output.kind == kind { return output }
    let isNew = participant.output == nil
    release(&participant.output)
    guard let output = spareOutputs[kind.rawValue].popLast() ?? makeOutput(kind) else {
      return nil
    }
    participant.output = output
    // Until now, the participant heard the common mix, which did not contain the participant's
    // sound.
    if past.hasSound, isNew { past.show(to: output) }
    return output
  }

  private func makeOutput(_ kind: MixKind) -> MixOutput? {
    guard let output = try? MixOutput(kind, settings) else {
      counters.failures += 1
      return nil
    }
    return output
  }

  private func send(
    _ output: MixOutput, _ samples: [Int16], hasSound: Bool,
    _ body: (_ payload: Span<UInt8>, _ marker: Bool) -> Void
  ) {
    let marker: Bool
    switch output.turn(hasSound: hasSound) {
    case .send(let isFirst): marker = isFirst
    case .sendSilence: marker = false
    case .rest: return
    }
    if output.encode(samples, tick: tickNumber, { body($0, marker) }) { counters.encodes += 1 }
  }

  private var tickNumber: UInt64 { UInt64(counters.ticks) }
}
