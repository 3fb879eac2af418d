import MeetingModel

// Adds the sound of content shares, for example of a browser tab, to the mix.
//
// A content share is no voice. The share's sound takes no place of an active speaker, is never
// transcribed, and needs no level: music may be quieter than a voice for minutes. The attendee who
// shares hears the sound from the attendee's own device, so this attendee's mix omits the sound.
extension MeetingAudio {
  /// Assigns a content share to the participant who shares, whose mix then omits the share's sound.
  ///
  /// A participant has at most one content share. The last assignment counts.
  ///
  /// - Parameter sharer: The key of the participant; `nil` if the attendee has only the share.
  func setSharer(of key: SessionSlot, to sharer: SessionSlot?) {
    guard let share = participant(key), share.isShare else { return }
    let next = sharer.flatMap { participant($0) }
    guard share.sharer !== next else { return }
    if let next, let other = shares.first(where: { $0.sharer === next }) { unassign(other) }
    unassign(share)
    share.sharer = next
    next?.isSharing = share.isHeardShare
    audienceChanged = true
  }

  /// Returns the key of the participant to whom a content share is assigned.
  func sharer(of key: SessionSlot) -> SessionSlot? { participant(key)?.sharer?.key }

  private func unassign(_ share: AudioParticipant) {
    guard let sharer = share.sharer else { return }
    share.sharer = nil
    endOwnMix(of: sharer)
  }

  /// Chooses the content shares to decode: as many as the mix has room for.
  func chooseShares() {
    var room = settings.maxShares - heardShares.count
    for share in shares where room > 0 && share.isWaiting && !share.isHeardShare {
      share.isChosen = true
      room -= 1
    }
  }

  /// Decides by the decoded sound which content shares are in the mix.
  ///
  /// A share leaves the mix after a pause, so that a silent share causes no packets.
  func admitShares() {
    var index = 0
    while index < heardShares.count {
      let share = heardShares[index]
      let isLoud = share.level.current >= SpeakerRules.stay
      share.quietTicks = isLoud ? 0 : share.quietTicks + 1
      if share.mayBeHeard, share.quietTicks <= SpeakerRules.hangoverTicks {
        index += 1
      } else {
        share.isHeardShare = false
        endingShares.append(heardShares.remove(at: index))
      }
    }
    for share in shares where heardShares.count < settings.maxShares && share.mayEnterAsShare {
      share.isHeardShare = true
      share.quietTicks = 0
      share.sharer?.isSharing = true
      heardShares.append(share)
      audienceChanged = true
    }
    rotateSilentShares()
  }

  /// Moves the content shares that proved to be silent to the end of the list of content shares.
  /// Otherwise two silent shares could keep a third share out of the mix.
  private func rotateSilentShares() {
    guard shares.count > settings.maxShares else { return }
    var index = 0
    for _ in shares.indices {
      let share = shares[index]
      if share.isChosen, !share.isHeardShare {
        shares.append(shares.remove(at: index))
      } else {
        index += 1
      }
    }
  }

  /// Moves attendees to the common mix, from the next tick on, because their content shares fell
  /// silent.
  func releaseEndingShares() {
    guard !endingShares.isEmpty else { return }
    for share in endingShares where !share.isHeardShare {
      if let sharer = share.sharer { endOwnMix(of: sharer) }
    }
    endingShares.removeAll(keepingCapacity: true)
  }

  private func endOwnMix(of sharer: AudioParticipant) {
    sharer.isSharing = false
    audienceChanged = true
    if !sharer.needsOwnMix { returnToCommonMix(sharer) }
  }

  /// Returns the sound of a participant's content share in this frame; `nil` if there is none.
  func sharedSound(of participant: AudioParticipant) -> VoiceDecoder? {
    guard participant.isSharing else { return nil }
    let isOwn = { (share: AudioParticipant) in share.sharer === participant && share.isMixed }
    return (heardShares.first(where: isOwn) ?? endingShares.first(where: isOwn))?.voice
  }

  /// Removes a participant from the content shares, because the meeting removes the participant.
  /// Content shares that are assigned to the participant then have no sharer.
  ///
  /// The last sound of a removed share still fades out.
  func removeFromShares(_ participant: AudioParticipant) {
    shares.removeAll { $0 === participant }
    for share in shares where share.sharer === participant { share.sharer = nil }
  }
}

extension AudioParticipant {
  fileprivate var mayEnterAsShare: Bool {
    !isHeardShare && mayBeHeard && sound.isHeard && !level.isFading
      && level.frame >= SpeakerRules.stay
  }
}
