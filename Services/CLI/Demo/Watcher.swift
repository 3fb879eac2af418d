internal import CarillonClient

/// A client of the Swift library, in this process.
struct Watcher: WatchedClient {
  let name: String
  let attendeeID: String
  let journal = ClientJournal()
  private let client: MeetingClient

  init(_ configuration: MeetingSessionConfiguration) {
    name = configuration.credentials.externalUserId
    attendeeID = configuration.credentials.attendeeId
    client = MeetingClient(configuration) { [journal] in journal.record($0) }
  }

  func start() throws { try client.start() }

  func setMuted(_ isMuted: Bool) -> Bool { client.setMuted(isMuted) }

  func stop() { client.stop() }

  var lastWords: String { "" }
}
