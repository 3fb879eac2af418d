import MeetingModel
import TestSupport
import Wire

/// Somebody in a history of an audience, whatever face of the gateway they come by.
protocol AudienceClient: Sendable {
  /// Waits until it sees these and nobody else.
  func sees(exactly names: Set<String>) async throws

  /// Asks to act as an attendee of the primary.
  ///
  /// - Returns: Whether it may, or cannot now: a service that was killed may not answer yet.
  func becomes(_ attendee: V1.AttendeeRecord) async throws -> Bool

  /// Goes back to watching.
  ///
  /// - Returns: Whether it was promoted; `nil` where the face does not say so.
  func goesBack() async throws -> Bool?

  /// Sends a data message.
  ///
  /// - Returns: Whether the meeting takes it, as far as the face says so.
  func speaks(_ text: String, expecting isTaken: Bool) async throws -> Bool

  /// Waits until it has got these messages, in this order, and no other.
  func reads(exactly texts: [String]) async throws

  /// Waits until it was told of so many ends of promotions.
  func knows(ofDemotions count: Int) async throws

  /// How many ends of promotions it was told of.
  var demotionCount: Int { get }

  /// Leaves, and has been told that it may.
  func leaves() async throws

  /// Waits until it is told that its session has ended.
  func hearsItsEnd() async throws

  /// Ends the connection without a word.
  func vanishes() async
}

/// Over ZeroMQ.
extension Watcher: AudienceClient {
  func becomes(_ attendee: V1.AttendeeRecord) async throws -> Bool {
    let status = try await promote(as: attendee).status
    guard let status else { return true }
    guard status.sessionStatus == .audioServiceUnavailable else {
      throw RawClient.Failure.refused(status)
    }
    return false
  }

  func goesBack() async throws -> Bool? { try await demote() }

  func speaks(_ text: String, expecting isTaken: Bool) async throws -> Bool {
    let answer = try await client.answer(
      to: try await client.say("chat", Array(text.utf8), key: text))
    guard let status = answer.status else { return true }
    guard status.code == .failedPrecondition else { throw RawClient.Failure.refused(status) }
    return false
  }

  func reads(exactly texts: [String]) async throws { try await client.hears(exactly: texts) }

  func knows(ofDemotions count: Int) async throws { _ = try await isDemoted(times: count) }

  var demotionCount: Int { demotions.count }

  func leaves() async throws {
    _ = try await client.call(V1.AudioVideoFacadeMethods.stop, V1.StopRequest())
    await client.close()
  }

  func hearsItsEnd() async throws { _ = try await client.ending() }

  func vanishes() async { await client.close() }
}
