extension DemoStep {
  /// The steps of the demo. Their names are part of the output of `--output json`.
  enum Kind: String, CaseIterable, Hashable, Sendable {
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

extension DemoStep.Kind {
  /// A description of the step for a reader who is new to Carillon.
  var about: String {
    switch self {
    case .startServices:
      "Every service starts as a process of its own and says that it is ready."
    case .createMeeting: "An application creates a meeting over the REST interface."
    case .createAttendees: "It creates three attendees, each with a token to join with."
    case .join: "Ada and Ben join with the Swift client, Chloe with the Python client."
    case .rosterAlike: "All three see the same list of attendees."
    case .muteUnmute: "Ada and then Chloe mute and unmute; everybody is told."
    case .operatorMute: "The operator mutes Ada: she cannot undo it until the operator does."
    case .messagesArrive: "Ada sends text, JSON and raw bytes; Ben and Eve get just these bytes."
    case .messagesLateJoiner: "Finn joins late and gets the message that was kept, not the other."
    case .messagesThrottled:
      "Ada sends too much at once: some of it comes back, the rest arrives in order."
    case .browserJoins:
      "Greta joins by WebSocket, as browsers do: she is seen, writes and reads."
    case .clientKilled:
      "Dora's process is killed; after five seconds the others hear that she dropped."
    case .clientCutOff: "Ben's connection is cut and comes back; nobody is told that he went."
    case .mediaMeeting: "Three clients meet to speak, and hear a tone from each other."
    case .speechHeard:
      "Ada says a sentence, and Ben hears that sentence; she does not hear herself."
    case .muteIsSilence: "Ada mutes and speaks; Ben hears nothing."
    case .twoSpeakers: "Ada and Ben speak at the same time, and Cleo hears both."
    case .voiceFocus: "Ada speaks beside a fan; Voice Focus makes the fan quieter and not her."
    case .transcriptionStarted: "Live transcription is switched on, and everybody is told."
    case .speechTranscribed:
      "Three speak; everybody reads what was said, each under the right name."
    case .transcriptionKilled:
      "The transcription service is killed; its successor writes on what Ada says."
    case .pictureSeen: "Ada shows a test picture with her camera, and Ben sees it move."
    case .picturePaused: "Ben pauses Ada's video: no picture comes until he wants it back."
    case .layerSwitch: "Ben asks for a smaller picture of Ada, and then for the large one again."
    case .contentBesideCamera: "Ada shares her screen; Ben sees it beside her camera."
    case .audienceJoins:
      "Two replicas of a stage open: each audience sees the stage and nobody else."
    case .audienceHears: "The audience hears and reads the stage; what it says itself goes nowhere."
    case .attendeePromoted:
      "Rob of the audience is promoted to speak as Paula: all hear, read and see her."
    case .attendeeDemoted: "Rob goes back to his seat: Paula is gone, and he is not heard any more."
    case .promotionCutOff: "Promoted again, Rob's cable is cut: he comes back as one who watches."
    case .promotionRefused: "A promotion needs credentials of the stage, and each serves one."
    case .presenceKilled: "The roster's owner is killed; mutes work again, and nobody seems to go."
    case .messagingKilled:
      "The messages' owner is killed while two send; each message arrives once."
    case .camerasFull: "As many cameras as a meeting may have are switched on."
    case .cameraBeyondLimit: "One more may only watch, and sees all the others."
    case .shareBeyondLimit: "Two share their screens; a third one is refused."
    case .videoTilesKilled: "The owner of the video tiles is killed; the pictures go on."
    case .meetingFull:
      "Two of an audience want the last seat in a meeting: one waits for it."
    case .gatewayKilled:
      "The gateway that all are connected to is killed; all come back by themselves."
    case .nothingFalse: "Looking back: nobody was told of anything that did not happen."
    case .meetingDeleted: "The application deletes the meeting, and everybody is told why it ended."
    }
  }

  /// The number of tries.
  ///
  /// Only steps that can fail on a busy machine have several tries, such as steps about sound that
  /// is played in real time. Two steps that also wait for events repeat the sound themselves, so
  /// these two steps have one try.
  var tries: Int {
    switch self {
    case .muteIsSilence, .voiceFocus, .speechTranscribed, .picturePaused, .layerSwitch: 4
    case .startServices, .createMeeting, .createAttendees, .join, .rosterAlike, .muteUnmute,
      .operatorMute, .messagesArrive, .messagesLateJoiner, .messagesThrottled, .browserJoins,
      .clientKilled, .clientCutOff, .mediaMeeting, .speechHeard, .twoSpeakers,
      .transcriptionStarted,
      .transcriptionKilled, .pictureSeen, .contentBesideCamera, .audienceJoins,
      .audienceHears, .attendeePromoted, .attendeeDemoted, .promotionCutOff, .promotionRefused,
      .presenceKilled, .messagingKilled,
      .camerasFull, .cameraBeyondLimit, .shareBeyondLimit,
      .videoTilesKilled, .meetingFull, .gatewayKilled, .nothingFalse, .meetingDeleted:
      1
    }
  }

  /// The time limit of a step with all its tries. A step that exceeds the limit is reported as
  /// failed.
  var limit: Duration {
    switch self {
    case .speechHeard, .muteIsSilence, .twoSpeakers, .voiceFocus, .speechTranscribed,
      .transcriptionKilled:
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
