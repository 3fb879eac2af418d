import RTP

// Chooses the participants to decode, and the active speakers. In the code, an active speaker has a
// seat.
extension MeetingAudio {
  /// Chooses the participants to decode: the active speakers, and, among the candidates, the
  /// participants whose packets claim the highest levels.
  func chooseDecodes() {
    for participant in active where participant.mustBeDecoded { participant.isChosen = true }
    chooseShares()
    let freeSeats = settings.maxSpeakers - seated.count
    if freeSeats > 0 {
      choose(freeSeats + SpeakerRules.probes, where: \.mayEnter, by: \.claimedLoudness)
    } else {
      choose(settings.maxSpeakers, where: \.mayChallenge, by: \.challenge)
    }
  }

  /// Decodes the chosen participants, and skips the sound of the other participants.
  func decode(at now: MonotonicTime) {
    for participant in active {
      guard participant.isChosen else {
        if case .pulled = participant.sound { counters.skips += 1 }
        participant.skip(at: now)
        continue
      }
      let isDecoded = participant.decode(
        at: now, isStereoWanted: isStereoWanted, suppression: settings.noiseSuppression)
      if isDecoded { counters.decodes += 1 } else { counters.failures += 1 }
    }
  }

  /// Chooses the active speakers by the decoded sound.
  func seat() {
    var index = 0
    while index < seated.count {
      let participant = seated[index]
      let isLoud = participant.level.current >= SpeakerRules.stay
      participant.quietTicks = isLoud ? 0 : participant.quietTicks + 1
      if participant.mayBeHeard, participant.quietTicks <= SpeakerRules.hangoverTicks {
        index += 1
      } else {
        unseat(at: index)
      }
    }
    while seated.count < settings.maxSpeakers, let next = loudestEntrant() { seat(next) }
    compareWaiting()
    while takeOver() {}
    admitShares()
    chooseVoices()
  }

  /// The mean loudness over 100 ms that a participant needs to become an active speaker. If the
  /// meeting has the maximum number of active speakers, the participant must be louder than the
  /// quietest active speaker by ``SpeakerRules/margin``.
  private var bar: Loudness {
    guard seated.count == settings.maxSpeakers, let quietest = quietestSeated() else {
      return SpeakerRules.entry
    }
    return max(SpeakerRules.entry, quietest.seatLoudness + SpeakerRules.margin)
  }

  /// Counts for how many ticks each participant that is not an active speaker has been loud enough
  /// to become an active speaker.
  private func compareWaiting() {
    let bar = bar
    for participant in active where !participant.isSeated && !participant.isShare {
      participant.level.compare(to: bar)
    }
  }

  /// Replaces the quietest active speaker by a participant that has been louder by
  /// ``SpeakerRules/margin`` for ``SpeakerRules/louderTicks``.
  ///
  /// The replaced participant does not become an active speaker again in the same tick.
  ///
  /// - Returns: Whether the method replaced a participant.
  private func takeOver() -> Bool {
    guard seated.count == settings.maxSpeakers, let quietest = quietestSeated(),
      let index = seated.firstIndex(where: { $0 === quietest }),
      let challenger = loudestChallenger(above: bar)
    else { return false }
    unseat(at: index)
    seat(challenger)
    return true
  }

  /// Adds the active speakers and the content shares with sound to the mix. Fades the beginnings
  /// and ends of their sound.
  private func chooseVoices() {
    for participant in active {
      let isHeard = participant.sound.isHeard
      participant.isMixed = participant.isAdmitted && isHeard || participant.wasMixed
      guard participant.isMixed else { continue }
      participant.isEnding = !(participant.isAdmitted && isHeard)
      if !isHeard { participant.decodeEnd() }
      participant.fade()
    }
  }

  private func seat(_ participant: AudioParticipant) {
    participant.isSeated = true
    participant.quietTicks = 0
    participant.level.forgetLouderTicks()
    seated.append(participant)
    audienceChanged = true
  }

  private func unseat(at index: Int) {
    let participant = seated.remove(at: index)
    participant.isSeated = false
    participant.isLeaving = true
    leaving.append(participant)
  }

  private func quietestSeated() -> AudioParticipant? {
    seated.min { $0.seatLoudness < $1.seatLoudness }
  }

  /// Returns the loudest participant that speaks but is not an active speaker yet.
  private func loudestEntrant() -> AudioParticipant? {
    loudestWaiting { $0.level.frame >= SpeakerRules.entry }
  }

  /// Returns the loudest participant that has been loud enough for long enough. The participant's
  /// decoded sound or trusted claims must prove this loudness.
  private func loudestChallenger(above bar: Loudness) -> AudioParticipant? {
    loudestWaiting {
      $0.level.louderTicks >= SpeakerRules.louderTicks && $0.level.isProven(above: bar)
    }
  }

  /// Returns the loudest participant that may become an active speaker.
  ///
  /// Omits participants whose present sound is only concealment.
  private func loudestWaiting(
    where isCandidate: (AudioParticipant) -> Bool
  ) -> AudioParticipant? {
    var loudest: AudioParticipant?
    for participant in active
    where !participant.isSeated && !participant.isShare && participant.mayBeHeard
      && participant.sound.isHeard && !participant.level.isFading && isCandidate(participant)
    {
      if loudest.map({ participant.level.mean > $0.level.mean }) ?? true { loudest = participant }
    }
    return loudest
  }

  /// Chooses the loudest candidates for decoding.
  private func choose(
    _ count: Int, where isCandidate: (AudioParticipant) -> Bool,
    by loudness: (AudioParticipant) -> Loudness
  ) {
    for _ in 0..<count {
      let candidates = active.lazy.filter(isCandidate)
      guard let loudest = candidates.max(by: { loudness($0) < loudness($1) }) else { return }
      loudest.isChosen = true
    }
  }
}
