import MeetingModel
import Storage
import Wire

extension StoredMessage {
  /// The name of the stream `messages` in clients' positions.
  static let stream = MeetingStream.messages.name

  /// Returns the event that delivers the message.
  func event(epoch: UInt64) -> V1.SessionEvent {
    V1.SessionEvent(
      event: .dataMessage(
        V1.DataMessage(
          sequence: sequence, topic: topic, data: data, sender: sender.map { V1.AttendeeInfo($0) },
          timestampMs: acceptedAtMs, lifetimeMs: lifetimeMs, messageID: id(epoch: epoch),
          recipients: recipients.map(\.text))))
  }

  /// The permitted readers; empty for all attendees.
  var onlyFor: IDTexts {
    recipients.isEmpty ? IDTexts() : IDTexts(recipients.map { ParticipantID($0) })
  }

  /// The id of the sender. The sender does not get the message.
  var exceptFor: IDTexts { IDTexts(sender?.id) }

  /// Returns the event in its published form.
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

extension Sequenced {
  /// Returns the message's id for senders and receivers. The id is unique in the meeting, and
  /// remains the same after a restart.
  func id(epoch: UInt64) -> String { "\(String(epoch, radix: 36))-\(sequence)" }

  /// Returns the answer that confirms the message to its sender.
  func acceptance(epoch: UInt64, isRepeat: Bool) -> V1.SendDataMessageReply {
    V1.SendDataMessageReply(
      outcome: .accepted(
        V1.AcceptedAt(
          epoch: epoch, sequence: sequence, timestampMs: acceptedAtMs, messageID: id(epoch: epoch),
          isRepeat: isRepeat)))
  }
}

extension V1.MessageReplay {
  init(_ replay: MessageReplayAnswer, of meeting: MeetingID, term: UInt64) {
    self.init(
      meetingID: meeting.text, epoch: replay.epoch, throughSequence: replay.through,
      hasMore: replay.hasMore, isComplete: replay.isComplete,
      events: replay.messages.map {
        $0.packedEvent(of: meeting, epoch: replay.epoch, term: term)
      })
  }
}
