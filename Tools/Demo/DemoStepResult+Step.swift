extension DemoStepResult {
  /// The steps of the demo. Their names are part of the output of `--output json`.
  enum Step: String, CaseIterable, Hashable, Sendable {
    case startServices = "start-services"
    case createMeeting = "create-meeting"
    case createAttendees = "create-attendees"
    case join
    case rosterAlike = "roster-alike"
    case muteUnmute = "mute-unmute"
    case operatorMute = "operator-mute"
    case messagesArrive = "messages-arrive"
    case messagesLateJoiner = "messages-late-joiner"
    case messagesThrottled = "messages-throttled"
    case browserJoins = "browser-joins"
    case clientKilled = "client-killed"
    case clientCutOff = "client-cut-off"
    case mediaMeeting = "media-meeting"
    case speechHeard = "speech-heard"
    case muteIsSilence = "mute-is-silence"
    case twoSpeakers = "two-speakers"
    case voiceFocus = "voice-focus"
    case browserSpeaks = "browser-speaks"
    case transcriptionStarted = "transcription-started"
    case speechTranscribed = "speech-transcribed"
    case transcriptionKilled = "transcription-killed"
    case pictureSeen = "picture-seen"
    case picturePaused = "picture-paused"
    case layerSwitch = "layer-switch"
    case contentBesideCamera = "content-beside-camera"
    case audienceJoins = "audience-joins"
    case audienceHears = "audience-hears"
    case attendeePromoted = "attendee-promoted"
    case attendeeDemoted = "attendee-demoted"
    case promotionCutOff = "promotion-cut-off"
    case promotionRefused = "promotion-refused"
    case presenceKilled = "presence-killed"
    case messagingKilled = "messaging-killed"
    case camerasFull = "cameras-full"
    case cameraBeyondLimit = "camera-beyond-limit"
    case shareBeyondLimit = "share-beyond-limit"
    case videoTilesKilled = "video-tiles-killed"
    case meetingFull = "meeting-full"
    case gatewayKilled = "gateway-killed"
    case nothingFalse = "nothing-false"
    case meetingDeleted = "meeting-deleted"
  }
}

extension DemoStepResult.Step {
  /// A description of the step for a reader who is new to Carillon.
  var about: String {
    switch self {
    case .startServices: "Each service starts in its own process and reports that it is ready."
    case .createMeeting: "An application creates a meeting over REST."
    case .createAttendees: "The application creates three attendees, each with a join token."
    case .join: "Ada and Ben join with the Swift client, and Chloe with the Python client."
    case .rosterAlike: "All three clients have the same roster."
    case .muteUnmute: "Ada and then Chloe mute and unmute, and all clients receive each change."
    case .operatorMute:
      "The operator mutes Ada, and Ada cannot unmute until the operator unmutes her."
    case .messagesArrive:
      "Ada sends text, JSON and raw bytes, and Ben and Eve receive the same bytes."
    case .messagesLateJoiner:
      "Finn joins late and receives only the earlier message that has a lifetime."
    case .messagesThrottled:
      "Ada sends too fast: some messages return to her, the rest arrive in order."
    case .browserJoins:
      "Greta joins over WebSocket as browsers do, and sends and receives messages."
    case .clientKilled:
      "Dora's client is killed, and after five seconds the others receive her drop."
    case .clientCutOff:
      "Ben loses his connection and resumes, and nobody receives a leave or a drop."
    case .mediaMeeting: "Three clients join with sound, and hear a tone from each other."
    case .speechHeard: "Ada says a sentence; Ben hears the sentence, and Ada does not hear herself."
    case .muteIsSilence: "Ada mutes and speaks; Ben hears nothing."
    case .twoSpeakers: "Ada and Ben speak at the same time, and Cleo hears both."
    case .voiceFocus: "Ada speaks near a fan, and Voice Focus lowers the fan but not her voice."
    case .browserSpeaks:
      "Greta speaks over WebRTC as browsers do; Ben hears her, and she hears Ada."
    case .transcriptionStarted:
      "An application starts live transcription, and all clients are notified."
    case .speechTranscribed: "Three attendees speak, and all clients read each speaker's words."
    case .transcriptionKilled:
      "The transcription service is killed, and the next instance continues."
    case .pictureSeen: "Ada's camera sends a moving test picture, and Ben sees the picture move."
    case .picturePaused: "Ben pauses Ada's video, and gets no picture until he resumes the video."
    case .layerSwitch:
      "Ben requests a smaller layer of Ada's video, and then the large layer again."
    case .contentBesideCamera: "Ada shares her screen, and Ben sees the screen beside her camera."
    case .audienceJoins:
      "The attendees of two replicas join, and see the attendees of the primary only."
    case .audienceHears:
      "The audience hears and reads the primary, but nobody there hears the audience."
    case .attendeePromoted:
      "Rob of the audience is promoted as Paula, and all hear, read and see Paula."
    case .attendeeDemoted:
      "Rob is demoted: Paula leaves the primary, and nobody hears Rob any more."
    case .promotionCutOff:
      "Rob is promoted, loses his connection, and resumes without the promotion."
    case .promotionRefused:
      "A wrong token promotes nobody, and Sam's promotion as Paula ends Rita's."
    case .presenceKilled:
      "The roster's owner is killed; mutes work again, and nobody leaves or drops."
    case .messagingKilled:
      "The messages' owner is killed during sends, and each message arrives once."
    case .camerasFull: "The cameras of a meeting start, up to the meeting's limit."
    case .cameraBeyondLimit: "One more attendee cannot start a camera, and sees the other cameras."
    case .shareBeyondLimit: "Two attendees share their screens, and a third share is refused."
    case .videoTilesKilled: "The owner of the video tiles is killed, and the video continues."
    case .meetingFull:
      "Two attendees request a promotion to the last free seat, and one waits for it."
    case .gatewayKilled: "The gateway of all clients is killed, and all clients reconnect."
    case .nothingFalse: "No client has received an event that did not happen."
    case .meetingDeleted: "The application deletes the meeting, and all clients receive the reason."
    }
  }

  /// The number of tries.
  ///
  /// Only steps that can fail on a busy machine, such as steps that play sound in real time, have
  /// several tries. Three steps that also wait for events repeat the sound themselves, so these
  /// steps have one try.
  var tries: Int {
    switch self {
    case .muteIsSilence, .voiceFocus, .speechTranscribed, .picturePaused, .layerSwitch: 4
    case .startServices, .createMeeting, .createAttendees, .join, .rosterAlike, .muteUnmute,
      .operatorMute, .messagesArrive, .messagesLateJoiner, .messagesThrottled, .browserJoins,
      .clientKilled, .clientCutOff, .mediaMeeting, .speechHeard, .twoSpeakers,
      .browserSpeaks, .transcriptionStarted,
      .transcriptionKilled, .pictureSeen, .contentBesideCamera, .audienceJoins,
      .audienceHears, .attendeePromoted, .attendeeDemoted, .promotionCutOff, .promotionRefused,
      .presenceKilled, .messagingKilled,
      .camerasFull, .cameraBeyondLimit, .shareBeyondLimit,
      .videoTilesKilled, .meetingFull, .gatewayKilled, .nothingFalse, .meetingDeleted:
      1
    }
  }

  /// The time limit of a step with all its tries. The demo reports a step that exceeds the limit as
  /// failed.
  var limit: Duration {
    switch self {
    case .speechHeard, .muteIsSilence, .twoSpeakers, .voiceFocus, .browserSpeaks,
      .speechTranscribed, .transcriptionKilled:
      .seconds(240)
    case .startServices, .createMeeting, .createAttendees, .join, .rosterAlike, .muteUnmute,
      .operatorMute, .messagesArrive, .messagesLateJoiner, .messagesThrottled, .browserJoins,
      .clientKilled, .clientCutOff, .mediaMeeting, .transcriptionStarted, .pictureSeen,
      .picturePaused,
      .layerSwitch, .contentBesideCamera, .audienceJoins, .audienceHears, .attendeePromoted,
      .attendeeDemoted, .promotionCutOff, .promotionRefused, .presenceKilled, .messagingKilled,
      .camerasFull,
      .cameraBeyondLimit, .shareBeyondLimit, .videoTilesKilled, .meetingFull, .gatewayKilled,
      .nothingFalse, .meetingDeleted:
      .seconds(120)
    }
  }
}
