package import CarillonClientCore

/// A client of the Swift library, in this process.
package struct InProcessClient: ObservedClient {
  package let name: String
  package let attendeeID: String
  package let journal = ClientJournal()
  package let client: MeetingEventClient

  /// - Parameter topics: The topics of the data messages that the client receives.
  package init(_ configuration: MeetingSessionConfiguration, topics: [String] = []) {
    name = configuration.credentials.externalUserId
    attendeeID = configuration.credentials.attendeeId
    client = MeetingEventClient(configuration, topics: topics) { [journal] in
      journal.record($0)
    }
  }

  package func start() throws { try client.start() }

  package func setMuted(_ isMuted: Bool) -> Bool { client.setMuted(isMuted) }

  package func stop() { client.stop() }

  package var lastWords: String { "" }
}
