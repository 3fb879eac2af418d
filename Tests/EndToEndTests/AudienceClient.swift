import MeetingModel
import TestSupport
import Wire

/// A client in an ``AudienceHistory``. The client may use any interface of the gateway.
protocol AudienceClient: Sendable {
  /// Waits until the roster has exactly these names.
  func sees(exactly names: Set<String>) async throws

  /// Requests promotion as an attendee of the primary.
  ///
  /// - Returns: Whether the client was promoted; `false` if a killed service is not available yet.
  func becomes(_ attendee: V1.AttendeeRecord) async throws -> Bool

  /// Requests demotion.
  ///
  /// - Returns: Whether the client was promoted; `nil` if the answer of the interface does not
  ///   contain this information.
  func goesBack() async throws -> Bool?

  /// Sends a data message.
  ///
  /// - Parameter isTaken: Whether the meeting should accept the message.
  /// - Returns: Whether the meeting accepted the message; `isTaken` if the interface does not
  ///   report whether the meeting accepted the message.
  func speaks(_ text: String, expecting isTaken: Bool) async throws -> Bool

  /// Waits until the client has received exactly these messages in this order.
  func reads(exactly texts: [String]) async throws

  /// Waits until the client has received `count` events about the end of a promotion.
  func knows(ofDemotions count: Int) async throws

  /// The number of received events about the end of a promotion.
  var demotionCount: Int { get }

  /// Leaves, and waits for the confirmation.
  func leaves() async throws

  /// Waits until the server reports the end of the session.
  func hearsItsEnd() async throws

  /// Closes the connection without leaving.
  func vanishes() async
}

/// A client over ZeroMQ.
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
