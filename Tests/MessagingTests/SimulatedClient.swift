import MeetingModel
import OwnerTestSupport
import Storage

@testable import Messaging

/// A client of the simulation: what it has sent and has not heard of, and all that it received.
struct SimulatedClient {
  let person: Person
  var state = State.away
  var device: UInt8 = 0

  /// The last message when its session began.
  var presentAfter: UInt64 = 0

  /// How far its gateway has served it.
  var servedThrough: UInt64 = 0

  /// What is on its way to it.
  var inbox: [Item] = []

  /// How far it knows that it has come.
  var position: UInt64 = 0

  /// All that its session received, in order.
  var history: [StoredMessage] = []

  /// Messages that it need not have: they expired, or it was told that something is missing.
  var excused: Set<UInt64> = []

  /// Sent and not answered yet.
  var unanswered: [Attempt] = []

  enum State {
    /// Without a session.
    case away
    /// Its session is about to begin.
    case joining
    case online
    /// Without a connection, with a session that it can resume.
    case lost
  }

  enum Item {
    case message(StoredMessage)
    case position(UInt64)
  }

  /// A message as it sends it, and sends it again until it has an answer.
  struct Attempt {
    let number: Int
    let lifetimeMs: Int32
    let recipients: [Person]
    let firstSentAt: UInt64
  }

  var session: SessionID { person.session(device) }

  var reader: LogReader { .session(session, person.participant) }

  /// Whether a message is for it: nobody gets an echo, or what is addressed to others.
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
