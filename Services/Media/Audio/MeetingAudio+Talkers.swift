import RTP

// What is said, for transcription: of everybody who speaks, whether there is a seat for them or
// not.
extension MeetingAudio {
  /// While somebody wants to know what is said, everybody who sends sound is decoded: words begin
  /// softer than what would give them a seat.
  func chooseTalkers() {
    for participant in active {
      if case .pulled = participant.sound { participant.isChosen = true }
    }
  }

  /// Reports what is said in this tick, and who has ended.
  func report(_ talk: Talk) {
    for participant in active {
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

  /// Nobody wants to know any longer.
  func forgetTalks() {
    for participant in participants { participant?.recorder = nil }
  }
}
