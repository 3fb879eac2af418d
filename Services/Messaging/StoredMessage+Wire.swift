import MeetingModel
import Storage
import Wire

extension StoredMessage {
  /// The name of messaging's stream in clients' positions.
  static let stream = MeetingStream.messages.name

  /// The event by which its receivers are told.
  func event(epoch: UInt64) -> V1.SessionEvent {
    V1.SessionEvent(
      event: .dataMessage(
        V1.DataMessage(
          sequence: sequence, topic: topic, data: data, sender: sender.map { V1.AttendeeInfo($0) },
          timestampMs: acceptedAtMs, lifetimeMs: lifetimeMs, messageID: id(epoch: epoch),
          recipients: recipients.map(\.text))))
  }

  /// Whom it is for; empty: everybody.
  var onlyFor: IDTexts {
    recipients.isEmpty ? IDTexts() : IDTexts(recipients.map { ParticipantID($0) })
  }

  /// Who gets no echo.
  var exceptFor: IDTexts { IDTexts(sender?.id) }

  /// The event as it was published.
  fileprivate func packedEvent(of meeting: MeetingID, epoch: UInt64, term: UInt64) -> V1.PackedEvent
  {
    let position = V1.StreamPosition(stream: Self.stream, epoch: epoch, sequence: sequence)
    var header = V1.EventHeader(epoch: epoch, sequence: sequence, term: term)
    header.meetingIDInPlace = IDText(meeting)
    (header.onlyForInPlace, header.exceptForInPlace) = (onlyFor, exceptFor)
    return V1.PackedEvent(
      header: header,
      body: V1.SessionEvents(events: [event(epoch: epoch)], positions: [position]).packed())
  }
}

extension Placed {
  /// Its name, as its sender and its receivers see it; unique in the meeting and the same after a
  /// restart.
  func id(epoch: UInt64) -> String { "\(String(epoch, radix: 36))-\(sequence)" }

  /// The answer by which its sender is told.
  func acceptance(epoch: UInt64, isRepeat: Bool) -> V1.SendDataMessageReply {
    V1.SendDataMessageReply(
      outcome: .accepted(
        V1.AcceptedAt(
          epoch: epoch, sequence: sequence, timestampMs: acceptedAtMs, messageID: id(epoch: epoch),
          isRepeat: isRepeat)))
  }
}

extension V1.MessageReplay {
  init(_ replay: LogReplay, of meeting: MeetingID, term: UInt64) {
    self.init(
      meetingID: meeting.text, epoch: replay.epoch, throughSequence: replay.through,
      hasMore: replay.hasMore, isComplete: replay.isComplete,
      events: replay.messages.map {
        $0.packedEvent(of: meeting, epoch: replay.epoch, term: term)
      })
  }
}
