internal import BrowserTrials
internal import CarillonClient

/// An attendee who joins the demo's meeting as a browser does.
struct BrowserGuest: Sendable {
  let attendeeID: String
  let client: BrowserClient
  private let audioHost: String

  init(_ configuration: MeetingSessionConfiguration) {
    attendeeID = configuration.credentials.attendeeId
    audioHost = configuration.urls.audioHostUrl
    client = BrowserClient(
      url: configuration.urls.signalingUrl, token: configuration.credentials.joinToken)
  }

  /// Connects, runs `body`, and closes the connection.
  func visit<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      try await client.connect()
      let result = try await body()
      await client.hangUp()
      return result
    } catch {
      await client.hangUp()
      throw error
    }
  }

  /// Connects the guest's sound. The guest must have joined with media before this call.
  func open(_ sound: BrowserSound, within limit: Duration) async throws {
    let answer = try await client.subscribe(await sound.offer, audioHost: audioHost)
    try await sound.connect(answer, within: limit)
  }
}
