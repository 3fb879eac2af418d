internal import CarillonClient
internal import Foundation
internal import MeetingViews
internal import Output
internal import Speaking

/// The steps about sound in a separate meeting, and the steps about pictures in the same meeting.
extension DemoScenario {
  /// Plays the steps.
  func media() async {
    let cast = try? await report.require(.mediaMeeting) { try await openMedia() }
    guard let cast else {
      for step in Self.mediaSteps { report.skip(step, because: "the clients did not join") }
      return
    }
    await report.check(.speechHeard) { try await speechHeard(cast) }
    await report.check(.muteIsSilence) { try await muteIsSilence(cast) }
    await report.check(.twoSpeakers) { try await twoSpeakers(cast) }
    await report.check(.voiceFocus) { try await voiceFocus(cast) }
    await report.check(.browserSpeaks) { try await browserSpeaks(cast) }
    await transcripts(cast)
    await pictures(cast)
    for watcher in cast.everybody { watcher.stop() }
    try? await control.deleteMeeting(cast.meetingID)
  }

  private static let mediaSteps: [DemoStepResult.Step] = [
    .speechHeard, .muteIsSilence, .twoSpeakers, .voiceFocus, .browserSpeaks,
    .transcriptionStarted, .speechTranscribed, .transcriptionKilled, .pictureSeen, .picturePaused,
    .layerSwitch, .contentBesideCamera,
  ]

  /// The minimum correlation between spoken and recorded words at which the demo regards the words
  /// as heard.
  ///
  /// On an idle machine, the correlation is 0.99. The correlation is 0 for silence, and less than
  /// 0.2 for other words.
  static let heard: Float = 0.5
  /// The minimum correlation at which the demo regards words as heard while another sound is
  /// audible.
  private static let heardBesideAnother: Float = 0.3
  /// The minimum attenuation of a fan by Voice Focus, in dB.
  ///
  /// Without Voice Focus, the attenuation is 0 dB. With Voice Focus, the attenuation is 20 dB on an
  /// idle machine.
  private static let leastLoweredDecibels: Float = 4
  /// The maximum number of times that the demo plays a sentence that no listener hears.
  static let mostTries = 5

  private func openMedia() async throws -> (DemoMediaMeeting, OutputRecord) {
    let speech = stage.speech
    let meeting = try await control.createMeeting(externalMeetingID: "carillon-demo-media")
    var everybody: [DemoMediaClient] = []
    for name in ["ada", "ben", "cleo"] {
      everybody.append(DemoMediaClient(try await createAttendee(name, in: meeting)))
    }
    let cast = DemoMediaMeeting(
      meeting: meeting,
      ada: try await speech.say("The quick brown fox jumps over the lazy dog.", voice: "slt"),
      ben: try await speech.say("She sells sea shells by the shore every summer.", voice: "rms"),
      everybody: everybody)
    for watcher in cast.everybody { try watcher.start() }
    for watcher in cast.everybody {
      try await watcher.hear("its session started", within: .seconds(40)) { $0 == .joined }
    }
    let connected = try await everybodyIsHeard(cast)
    return (
      cast,
      [
        "heard_after_ms": JSONValue(connected.milliseconds),
        "ada_says_s": .text(Float(DemoAudioClip(cast.adaWords).seconds).twoDigits),
        "ben_says_s": .text(Float(DemoAudioClip(cast.benWords).seconds).twoDigits),
      ]
    )
  }

  /// Plays a tone from each client until all other clients receive a notification of the tone.
  /// Success shows that all clients are connected to `media`.
  private func everybodyIsHeard(_ cast: DemoMediaMeeting) async throws -> Duration {
    let start = ContinuousClock.now
    let sound = (0..<24_000).map { Int16(8_000 * sin(Double($0) / 20)) }
    for watcher in cast.everybody {
      let others = cast.everybody.filter { $0 !== watcher }
      let marks = others.map(\.journal.count)
      let speaking = Task { while !Task.isCancelled { await watcher.mouth.say(sound) } }
      defer { speaking.cancel() }
      for (other, mark) in zip(others, marks) {
        try await other.hear("\(watcher.name) is heard", since: mark, within: .seconds(40)) {
          if case .volume(watcher.attendeeID, let level) = $0 { level > 0 } else { false }
        }
      }
      speaking.cancel()
      await speaking.value
      for (other, mark) in zip(others, marks) {
        try await other.hear("\(watcher.name) is quiet", since: mark, within: .seconds(20)) {
          $0 == .volume(watcher.attendeeID, level: 0)
        }
      }
    }
    return .now - start
  }

  /// Checks that Ben hears Ada's speech and receives a notification that she speaks, and that Ada
  /// hears no echo.
  private func speechHeard(_ cast: DemoMediaMeeting) async throws -> OutputRecord {
    let (ada, ben) = (cast.everybody[0], cast.everybody[1])
    let marks = cast.marks
    let news = ben.journal.count
    await ada.mouth.say(cast.adaWords)
    try await ben.hear("Ada is loud", since: news, within: Self.soon) {
      if case .volume(ada.attendeeID, let level) = $0 { level > 0 } else { false }
    }
    try await ben.hear("Ada is the active speaker", since: news, within: Self.soon) {
      $0 == .activeSpeakers([ada.attendeeID])
    }
    var match = try await match(of: cast.adaWords, heardBy: ben, since: marks[1])
    var tries = 1
    // A busy machine may delay packets during the whole sentence. In this case, Ada repeats the
    // sentence.
    while match.correlation <= Self.heard, tries < Self.mostTries {
      tries += 1
      let mark = ben.ear.mark
      await ada.mouth.say(cast.adaWords)
      match = try await self.match(of: cast.adaWords, heardBy: ben, since: mark)
    }
    let own = ada.ear.sound(since: marks[0]).loudness
    guard match.correlation > Self.heard else {
      throw CommandFailure(
        code: "NOT_HEARD",
        message: "Ben's sound has correlation \(match.correlation) with Ada's words.")
    }
    guard own < 0.001 else {
      throw CommandFailure(code: "ECHO", message: "Ada hears herself, as loud as \(own).")
    }
    return [
      "correlation": .text(match.correlation.twoDigits), "after_ms": JSONValue(match.milliseconds),
      "own_loudness": .text(own.twoDigits), "tries": JSONValue(tries),
    ]
  }

  /// Checks that the other clients cannot hear Ada during her mute.
  private func muteIsSilence(_ cast: DemoMediaMeeting) async throws -> OutputRecord {
    let (ada, ben) = (cast.everybody[0], cast.everybody[1])
    let news = ben.journal.count
    guard ada.session.audioVideo.realtimeLocalMute() else {
      throw CommandFailure(code: "REFUSED", message: "Ada could not mute.")
    }
    try await ben.hear("Ada is muted", since: news, within: Self.soon) {
      $0 == .volume(ada.attendeeID, level: -1)
    }
    let mark = ben.ear.mark
    await ada.mouth.say(cast.adaWords)
    let loudness = ben.ear.sound(since: mark).loudness
    _ = ada.session.audioVideo.realtimeLocalUnmute()
    try await ben.hear("Ada is not muted", since: news, within: Self.soon) {
      $0 == .volume(ada.attendeeID, level: 0)
    }
    guard loudness < 0.001 else {
      throw CommandFailure(code: "HEARD", message: "Ben hears muted Ada, as loud as \(loudness).")
    }
    return ["loudness": .text(loudness.twoDigits)]
  }

  /// Checks that Cleo hears both Ada and Ben while they speak at the same time.
  private func twoSpeakers(_ cast: DemoMediaMeeting) async throws -> OutputRecord {
    let (ada, ben, cleo) = (cast.everybody[0], cast.everybody[1], cast.everybody[2])
    var matches: [SoundMatch] = []
    var tries = 0
    // When the check compares the sound with one voice, the other voice counts as noise. With two
    // equally loud voices, the correlation is at most 0.7.
    repeat {
      tries += 1
      let mark = cleo.ear.mark
      async let first: Void = ada.mouth.say(cast.adaWords)
      async let second: Void = ben.mouth.say(cast.benWords)
      _ = await (first, second)
      matches = [
        try await match(of: cast.adaWords, heardBy: cleo, since: mark),
        try await match(of: cast.benWords, heardBy: cleo, since: mark),
      ]
    } while !matches.allSatisfy({ $0.correlation > Self.heardBesideAnother })
      && tries < Self.mostTries
    guard matches.allSatisfy({ $0.correlation > Self.heardBesideAnother }) else {
      throw CommandFailure(
        code: "NOT_HEARD",
        message: "Cleo's sound has correlations \(matches.map(\.correlation)) with the two voices.")
    }
    return [
      "ada": .text(matches[0].correlation.twoDigits),
      "ben": .text(matches[1].correlation.twoDigits), "tries": JSONValue(tries),
    ]
  }

  /// Checks that Voice Focus attenuates the noise of a fan while Ada speaks, and keeps her words.
  private func voiceFocus(_ cast: DemoMediaMeeting) async throws -> OutputRecord {
    let (ada, ben) = (cast.everybody[0], cast.everybody[1])
    let without = try await beside(Self.fan, ada, heardBy: ben, saying: cast.adaWords)
    guard ada.session.audioVideo.realtimeSetVoiceFocusEnabled(enabled: true) else {
      throw CommandFailure(code: "REFUSED", message: "Ada could not switch on Voice Focus.")
    }
    let with = try await beside(Self.fan, ada, heardBy: ben, saying: cast.adaWords)
    _ = ada.session.audioVideo.realtimeSetVoiceFocusEnabled(enabled: false)
    let lowered = 20 * log10(without.noise / max(with.noise, 0.000_01))
    guard lowered >= Self.leastLoweredDecibels else {
      throw CommandFailure(code: "NOISE", message: "The fan is only \(lowered) dB quieter.")
    }
    guard with.match.correlation > Self.heardBesideAnother else {
      throw CommandFailure(
        code: "NOT_HEARD",
        message: "Ben's sound has correlation \(with.match.correlation) with Ada's words.")
    }
    return [
      "fan_lowered_db": .text(lowered.twoDigits),
      "correlation": .text(with.match.correlation.twoDigits),
      "correlation_without": .text(without.match.correlation.twoDigits),
    ]
  }

  /// Plays words together with a noise that begins two seconds earlier.
  ///
  /// - Returns: The loudness of the pauses, and the match of the words.
  private func beside(
    _ noise: @Sendable (Int) -> Int16, _ speaker: DemoMediaClient,
    heardBy listener: DemoMediaClient,
    saying words: [Int16]
  ) async throws -> (noise: Float, match: SoundMatch) {
    let mark = listener.ear.mark
    let lead = 96_000
    let samples = (0..<lead + words.count).map { index in
      let word = index < lead ? 0 : Int(words[index - lead])
      return Int16(clamping: word + Int(noise(index)))
    }
    await speaker.mouth.say(samples)
    let match = try await match(of: words, heardBy: listener, since: mark, after: lead)
    let heard = listener.ear.sound(since: mark).part(
      from: match.offset, for: DemoAudioClip(words).seconds)
    return (heard.loudnessOfPauses, match)
  }

  /// Returns a sample of the noise of a fan: a steady mix of hums and hiss, the same in each run.
  private static func fan(_ index: Int) -> Int16 {
    var state = UInt64(index) &* 0x9E37_79B9_7F4A_7C15
    state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    let hiss = Double(Int64(bitPattern: state ^ state >> 27) >> 53) / 1_024
    let time = Double(index) / 48_000
    let hum = sin(2 * .pi * 97 * time) + sin(2 * .pi * 211 * time) / 2
    return Int16(250 * hum + 500 * hiss)
  }

  /// Waits until the recording is as long as the words, and compares the recording with the words.
  func match(
    of words: [Int16], heardBy watcher: DemoMediaClient, since mark: Int, after lead: Int = 0
  ) async throws -> SoundMatch {
    let enough = mark + lead + words.count + 48_000 / 2
    let limit = ContinuousClock.now + Self.soon
    while watcher.ear.mark < enough, .now < limit {
      try await Task.sleep(for: .milliseconds(20))  // Polls: nothing signals played audio.
    }
    return Self.match(of: words, in: watcher.ear.sound(since: mark))
  }

  /// Compares a recording with words.
  static func match(of words: [Int16], in heard: DemoAudioClip) -> SoundMatch {
    let whole = SoundMatch(of: DemoAudioClip(words), in: heard)
    // If packets were late, only single pieces of the sentence match. Matching the pieces takes
    // longer, so the code first matches the whole sentence.
    return whole.correlation > Self.heard
      ? whole : SoundMatch(ofPieces: DemoAudioClip(words), in: heard)
  }
}

extension SoundMatch {
  /// The offset of the match, in whole milliseconds.
  var milliseconds: Int { Int(offset * 1_000) }
}

extension Float {
  /// The number as text with two digits after the point.
  var twoDigits: String {
    let hundredths = Int((self * 100).rounded())
    let rest = String(abs(hundredths % 100))
    return
      "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest.count < 2 ? "0" : "")\(rest)"
  }
}
