import RTP

// Who is decoded, and who is heard.
extension MeetingAudio {
  /// Chooses whom to decode: those who are heard, and of the others the loudest by their own
  /// account that could get a seat.
  func chooseDecodes() {
    for participant in active where participant.mustBeDecoded { participant.isChosen = true }
    let freeSeats = settings.maxSpeakers - seated.count
    if freeSeats > 0 {
      chooseLoudest(freeSeats + SpeakerRules.probes, above: SpeakerRules.entry)
    } else if let weakest = weakestSeated() {
      chooseLoudest(SpeakerRules.probes, above: weakest.level.measured + (SpeakerRules.margin - 1))
    }
  }

  /// Decodes whom it chose, and plays the others out.
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

  /// Gives and takes seats by what was decoded.
  func seat() {
    var index = 0
    while index < seated.count {
      let participant = seated[index]
      participant.seatedTicks += 1
      let isLoud = participant.level.frame >= SpeakerRules.stay
      participant.quietTicks = isLoud ? 0 : participant.quietTicks + 1
      if participant.mayBeHeard, participant.quietTicks <= SpeakerRules.hangoverTicks {
        index += 1
      } else {
        unseat(at: index)
      }
    }
    while seated.count < settings.maxSpeakers, let next = loudestWaiting(ticks: 1) { seat(next) }
    takeOver()
    chooseVoices()
  }

  /// Somebody who is clearly louder takes the seat of the quietest, one in a tick.
  private func takeOver() {
    guard seated.count == settings.maxSpeakers, let weakest = weakestSeated(),
      let challenger = loudestWaiting(ticks: 3),
      challenger.level.measured > weakest.level.measured + SpeakerRules.margin,
      let index = seated.firstIndex(where: { $0 === weakest })
    else { return }
    unseat(at: index)
    seat(challenger)
  }

  /// Puts those who are heard into the mix, and lets them begin and end softly.
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
    participant.seatedTicks = 0
    participant.quietTicks = 0
    seated.append(participant)
    audienceChanged = true
  }

  private func unseat(at index: Int) {
    let participant = seated.remove(at: index)
    participant.isSeated = false
    participant.isLeaving = true
    leaving.append(participant)
  }

  /// The quietest of those who had their seat long enough.
  private func weakestSeated() -> AudioParticipant? {
    var weakest: AudioParticipant?
    for participant in seated where participant.seatedTicks >= SpeakerRules.leastTicks {
      if weakest.map({ participant.level.measured < $0.level.measured }) ?? true {
        weakest = participant
      }
    }
    return weakest
  }

  /// The loudest of those without a seat who speak.
  ///
  /// - Parameter ticks: For how long they must have been decoded.
  private func loudestWaiting(ticks: Int) -> AudioParticipant? {
    var loudest: AudioParticipant?
    for participant in active
    where !participant.isSeated && participant.mayBeHeard && participant.sound.isHeard
      && participant.level.measuredTicks >= ticks && participant.level.frame >= SpeakerRules.entry
    {
      if loudest.map({ participant.level.measured > $0.level.measured }) ?? true {
        loudest = participant
      }
    }
    return loudest
  }

  private func chooseLoudest(_ count: Int, above bar: Loudness) {
    for _ in 0..<count {
      var loudest: AudioParticipant?
      for participant in active where participant.mayBid(bar) {
        if loudest.map({ participant.level.smoothed > $0.level.smoothed }) ?? true {
          loudest = participant
        }
      }
      guard let loudest else { return }
      loudest.isChosen = true
    }
  }
}
