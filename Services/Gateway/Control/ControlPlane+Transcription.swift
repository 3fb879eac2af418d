import MeetingModel
import Storage
import Wire

// Starts and stops the transcription of a meeting. The store keeps each change before
// `transcription` applies it, so the store still has the change after a restart of any service.
extension ControlPlane {
  /// Starts a transcription, or replaces its settings. Repeated calls have no further effect.
  ///
  /// - Returns: Whether the transcription was already running.
  /// - Throws: `notFound`; `failedPrecondition` for a replica; `invalidArgument` for contradicting
  ///   settings; `unavailable` if `transcription` does not answer. In this last case, the store
  ///   contains the start, and `transcription` carries out the start later.
  func startTranscription(
    _ configuration: V1.TranscriptionConfiguration, of meeting: MeetingID
  ) async throws(Status) -> Bool {
    do { try configuration.check() } catch { throw error.status }
    guard try await self.meeting(meeting).primaryID == nil else {
      throw Status(
        .failedPrecondition,
        """
        A replica meeting shows the transcripts of its primary meeting; start the transcription \
        there.
        """)
    }
    var configuration = configuration
    if configuration.json.isEmpty { configuration.json = JSONValue(configuration).text }
    return try await setTranscription(configuration.packed(), of: meeting)
  }

  /// Stops a transcription. Does nothing for a replica.
  ///
  /// - Returns: Whether the transcription was running.
  /// - Throws: The errors of ``startTranscription(_:of:)``.
  func stopTranscription(of meeting: MeetingID) async throws(Status) -> Bool {
    guard try await self.meeting(meeting).primaryID == nil else { return false }
    return try await setTranscription(nil, of: meeting)
  }

  private func setTranscription(
    _ configuration: [UInt8]?, of meeting: MeetingID
  ) async throws(Status) -> Bool {
    try await toTheEnd { () async throws(Status) in
      let stored: StoredTranscription
      do throws(StorageError) {
        stored = try await store.setTranscription(
          configuration, of: meeting, at: settings.now())
      } catch {
        throw report(error)
      }
      return try await effects.transcribe(stored)
    }
  }

  // MARK: Requests of the operator's tools

  func start(
    _ request: V1.StartTranscriptionRequest
  ) async throws(Status) -> V1.StartTranscriptionReply {
    guard let configuration = request.configuration else {
      throw Status(
        .invalidArgument, "The request has no configuration; send a TranscriptionConfiguration.",
        reason: .malformed)
    }
    let wasRunning = try await startTranscription(
      configuration, of: Self.meetingID(request.meetingID))
    return V1.StartTranscriptionReply(wasRunning: wasRunning)
  }

  func stop(
    _ request: V1.StopTranscriptionRequest
  ) async throws(Status) -> V1.StopTranscriptionReply {
    let wasRunning = try await stopTranscription(of: Self.meetingID(request.meetingID))
    return V1.StopTranscriptionReply(wasRunning: wasRunning)
  }

  /// Returns the state of a meeting's transcription. For a replica, this is the state of its
  /// primary's transcription.
  func transcription(
    _ request: V1.GetTranscriptionStateRequest
  ) async throws(Status) -> V1.TranscriptionState {
    let meeting = try await meeting(Self.meetingID(request.meetingID))
    return try await effects.transcription(of: meeting.primaryID ?? meeting.id)
  }

  /// Sets or removes an attendee's spoken language.
  ///
  /// - Throws: `notFound`; `invalidArgument` for an invalid language.
  func setSpokenLanguage(
    _ request: V1.SetSpokenLanguageRequest
  ) async throws(Status) -> V1.SetSpokenLanguageReply {
    let language: LanguageCode?
    do { language = try LanguageCode.read(request.spokenLanguage, "spoken_language") } catch {
      throw error.status
    }
    let (meeting, attendee) = (
      try Self.meetingID(request.meetingID), try Self.attendeeID(request.attendeeID)
    )
    try await toTheEnd { () async throws(Status) in
      let home: MeetingID
      do throws(StorageError) {
        home = try await store.setSpokenLanguage(language, of: attendee, in: meeting)
      } catch {
        throw report(error)
      }
      try await effects.setSpokenLanguage(language, of: attendee, in: home)
    }
    return V1.SetSpokenLanguageReply()
  }
}
