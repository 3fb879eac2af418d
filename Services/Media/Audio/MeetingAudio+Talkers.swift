import RTP

// Collects the speech of all participants for transcription, not only of the active speakers.
extension MeetingAudio {
  /// Chooses the participants to decode: all participants that send sound. The meeting calls this
  /// method in each tick while `transcription` requests speech.
  ///
  /// Transcription needs the sound of all of these participants, because the first sounds of a word
  /// are too quiet to make a participant an active speaker.
  func chooseTalkers() {
    for participant in active where !participant.isShare {
      if case .pulled = participant.sound { participant.isChosen = true }
    }
  }

  /// Reports the speech of this tick, and the talks that have ended.
  func report(_ talk: Talk) {
    for participant in active where !participant.isShare {
      let key = participant.key
      let wasTalking = participant.isTalking
      if participant.mayBeHeard, participant.sound.isHeard {
        participant.record { talk(key, $0, $1, false) }
      } else if !wasTalking || !participant.mayBeHeard || participant.isRemoved {
        participant.recorder?.end()
      } else {
        participant.recordPause()
      }
      guard wasTalking, !participant.isTalking || participant.recorder?.isOver == true else {
        continue
      }
      participant.recorder?.end()
      talk(key, Span(), participant.talkTime, true)
    }
  }

  /// Removes the recorders, because `transcription` no longer requests speech.
  func forgetTalks() {
    for participant in participants { participant?.recorder = nil }
  }
}
