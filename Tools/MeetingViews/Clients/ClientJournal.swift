/// All events that a client has received, except events about video.
package typealias ClientJournal = ObservedEventLog<ObservedEvent>

extension ClientJournal {
  /// The ids of the attendees in the meeting, computed from the events.
  package var roster: Set<String> {
    entries(from: 0).reduce(into: []) { roster, entry in
      switch entry.event {
      case .attendee(.joined, let attendee): roster.insert(attendee.attendeeID)
      case .attendee(.left, let attendee), .attendee(.dropped, let attendee):
        roster.remove(attendee.attendeeID)
      case .attendee(.muted, _), .attendee(.unmuted, _), .started, .reconnecting, .reconnected,
        .ended, .message, .throttled, .messagesResumed, .transcript, .promotion:
        break
      }
    }
  }
}
