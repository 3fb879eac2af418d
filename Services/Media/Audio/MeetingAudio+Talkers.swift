import RTP

// What is said, for transcription.
extension MeetingAudio {
  /// Reports what those with a seat say, and the end of those who lost it.
  func report(_ talk: Talk) {
    for participant in seated {
      if participant.sound.isHeard, let voice = participant.voice {
        let start = participant.talkTime
        voice.resample { talk(participant.key, $0, start, false) }
      }
      participant.talkTime = participant.talkTime.advanced(byMicroseconds: Self.tickMicroseconds)
    }
    for participant in leaving {
      participant.voice?.endTalk()
      talk(participant.key, Span(), participant.talkTime, true)
    }
  }
}
