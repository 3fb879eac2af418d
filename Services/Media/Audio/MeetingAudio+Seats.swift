import RTP

// Chooses the participants to decode and those to hear.
extension MeetingAudio {
  /// Chooses the participants to decode: those with seats, and the others with the loudest claims
  /// that could get a seat.
  func chooseDecodes() {
    for participant in active where participant.mustBeDecoded { participant.isChosen = true }
    let freeSeats = settings.maxSpeakers - seated.count
    if freeSeats > 0 {
      choose(freeSeats + SpeakerRules.probes, where: \.mayEnter, by: \.claimedLoudness)
    } else {
      choose(settings.maxSpeakers, where: \.mayChallenge, by: \.challenge)
    }
  }

  /// Decodes the chosen participants and plays the others out.
  func decode(at now: MediaTime) {
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

  /// Assigns seats by the decoded sound.
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
    chooseVoices()
  }

  /// The loudness over 100 ms that a participant needs for a seat.
  private var bar: Loudness {
    guard seated.count == settings.maxSpeakers, let quietest = quietestSeated() else {
      return SpeakerRules.entry
    }
    return max(SpeakerRules.entry, quietest.seatLoudness + SpeakerRules.margin)
  }

  /// Counts how long participants without a seat have been loud enough for one.
  private func compareWaiting() {
    let bar = bar
    for participant in active where !participant.isSeated { participant.level.compare(to: bar) }
  }

  /// Gives the seat of the quietest participant to one that has been clearly louder for long
  /// enough.
  ///
  /// Nobody gets a second seat in the same tick.
  ///
  /// - Returns: Whether a seat changed hands.
  private func takeOver() -> Bool {
    guard seated.count == settings.maxSpeakers, let quietest = quietestSeated(),
      let index = seated.firstIndex(where: { $0 === quietest }),
      let challenger = loudestChallenger(above: bar)
    else { return false }
    unseat(at: index)
    seat(challenger)
    return true
  }

  /// Puts the participants that are heard into the mix, and fades their beginnings and ends.
  private func chooseVoices() {
    for participant in active {
      let isHeard = participant.sound.isHeard
      participant.isMixed = participant.isSeated && isHeard || participant.wasMixed
      guard participant.isMixed else { continue }
      participant.isEnding = !(participant.isSeated && isHeard)
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

  /// Returns the loudest participant without a seat that is speaking.
  private func loudestEntrant() -> AudioParticipant? {
    loudestWaiting { $0.level.frame >= SpeakerRules.entry }
  }

  /// Returns the loudest participant that has been loud enough for long enough, proven by its sound
  /// or by trusted claims.
  private func loudestChallenger(above bar: Loudness) -> AudioParticipant? {
    loudestWaiting {
      $0.level.louderTicks >= SpeakerRules.louderTicks && $0.level.isProven(above: bar)
    }
  }

  /// Returns the loudest participant without a seat that may have one.
  ///
  /// Sound that is only concealed takes nobody's seat.
  private func loudestWaiting(
    where isCandidate: (AudioParticipant) -> Bool
  ) -> AudioParticipant? {
    var loudest: AudioParticipant?
    for participant in active
    where !participant.isSeated && participant.mayBeHeard && participant.sound.isHeard
      && !participant.level.isFading && isCandidate(participant)
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
