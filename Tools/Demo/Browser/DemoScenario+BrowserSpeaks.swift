internal import BrowserTrials
internal import MeetingViews
internal import Output
internal import Speaking
internal import Wire

/// The step in which an attendee speaks and hears as a browser does, over WebRTC.
extension DemoScenario {
  /// Checks that Ben hears Greta, that Greta hears Ada, and that Greta hears no echo.
  func browserSpeaks(_ cast: DemoMediaMeeting) async throws -> OutputRecord {
    let greta = BrowserGuest(try await createAttendee("greta", in: cast.meeting))
    let words = try await stage.speech.say("The meeting is open to every browser.", voice: "rms")
    return try await greta.visit {
      let sound = try BrowserSound()
      do {
        let detail = try await browserSpeaks(greta, sound, words, cast)
        await sound.close()
        try await greta.client.leave()
        return detail
      } catch {
        await sound.close()
        throw error
      }
    }
  }

  private func browserSpeaks(
    _ greta: BrowserGuest, _ sound: BrowserSound, _ words: [Int16], _ cast: DemoMediaMeeting
  ) async throws -> OutputRecord {
    let (ada, ben) = (cast.everybody[0], cast.everybody[1])
    let start = ContinuousClock.now
    try await greta.client.join(wantsMedia: true)
    try await greta.client.hear("her join is acknowledged") { $0.type == .joinAck }
    try await greta.open(sound, within: Self.soon)
    let connected = ContinuousClock.now - start
    let news = ben.journal.count
    let (spoken, own) = try await repeated {
      let (mark, echo) = (ben.ear.mark, await sound.mark)
      await sound.say(words)
      let spoken = try await match(of: words, heardBy: ben, since: mark)
      return (spoken, DemoAudioClip(await sound.sound(since: echo)).loudness)
    }
    try await ben.hear("Greta is loud", since: news, within: Self.soon) {
      if case .volume(greta.attendeeID, let level) = $0 { level > 0 } else { false }
    }
    guard spoken.correlation > Self.heard else {
      throw CommandFailure(
        code: "NOT_HEARD",
        message: "Ben's sound has correlation \(spoken.correlation) with Greta's words.")
    }
    guard own < 0.001 else {
      throw CommandFailure(code: "ECHO", message: "Greta hears herself, as loud as \(own).")
    }
    let (heard, _) = try await repeated {
      let mark = await sound.mark
      await ada.mouth.say(cast.adaWords)
      return (try await match(of: cast.adaWords, heardBy: sound, since: mark), 0)
    }
    guard heard.correlation > Self.heard else {
      throw CommandFailure(
        code: "NOT_HEARD",
        message: "Greta's sound has correlation \(heard.correlation) with Ada's words.")
    }
    return [
      "connected_after_ms": JSONValue(connected.milliseconds),
      "spoken": .text(spoken.correlation.twoDigits), "heard": .text(heard.correlation.twoDigits),
      "own_loudness": .text(own.twoDigits),
    ]
  }

  /// Plays a sentence until a listener hears the sentence, at most ``mostTries`` times. One try is
  /// not enough, because a busy machine may delay packets during the whole sentence.
  private func repeated(
    _ play: () async throws -> (SoundMatch, Float)
  ) async throws -> (SoundMatch, Float) {
    var result = try await play()
    for _ in 1..<Self.mostTries where result.0.correlation <= Self.heard {
      result = try await play()
    }
    return result
  }

  /// Waits until Greta's recording is as long as the words, and compares the recording with the
  /// words.
  private func match(
    of words: [Int16], heardBy sound: BrowserSound, since mark: Int
  ) async throws -> SoundMatch {
    let enough = mark + words.count + 48_000 / 2
    let limit = ContinuousClock.now + Self.soon
    while await sound.mark < enough, .now < limit {
      try await Task.sleep(for: .milliseconds(20))  // Polls: nothing signals recorded sound.
    }
    return Self.match(of: words, in: DemoAudioClip(await sound.sound(since: mark)))
  }
}
