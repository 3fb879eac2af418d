import MeetingModel
import OwnerTestSupport
import Storage

@testable import Messaging

/// A client of the simulation: its unanswered messages, and everything that the client received.
struct SimulatedClient {
  let person: Person
  var state = State.away
  var device: UInt8 = 0

  /// The sequence number of the log's last message at the time when the client's session began.
  var presentAfter: UInt64 = 0

  /// The position up to which the client's gateway has sent messages.
  var servedThrough: UInt64 = 0

  /// The items in transit to the client.
  var inbox: [Item] = []

  /// The client's own position.
  var position: UInt64 = 0

  /// All messages that the client's session received, in order.
  var history: [StoredMessage] = []

  /// The messages that may be missing, because they expired or because the gateway reported a gap
  /// to the client.
  var excused: Set<UInt64> = []

  /// The sent messages without an answer.
  var unanswered: [Attempt] = []

  enum State {
    /// The client has no session.
    case away
    /// The client's session is about to begin.
    case joining
    case online
    /// The client has lost its connection, and can resume its session.
    case lost
  }

  enum Item {
    case message(StoredMessage)
    case position(UInt64)
  }

  /// A message that the client sends again until the client gets an answer.
  struct Attempt {
    let number: Int
    let lifetimeMs: Int32
    let recipients: [Person]
    let firstSentAt: UInt64
  }

  var session: SessionID { person.session(device) }

  var reader: MessageLogReader { .session(session, person.participant) }

  /// Returns whether the client may receive a message. The client receives neither its own messages
  /// nor messages for others.
  func mayRead(_ message: StoredMessage) -> Bool {
    message.sender?.id != person.participant
      && (message.recipients.isEmpty || message.recipients.contains(person.attendee))
  }

  mutating func receiveNext() {
    guard !inbox.isEmpty else { return }
    switch inbox.removeFirst() {
    case .message(let message):
      history.append(message)
      position = message.sequence
    case .position(let sequence):
      position = max(position, sequence)
    }
  }

  mutating func beginSession(after sequence: UInt64) {
    state = .joining
    presentAfter = sequence
    (servedThrough, position) = (0, 0)
    (inbox, history, excused, unanswered) = ([], [], [], [])
  }
}
