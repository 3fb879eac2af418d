import MeetingModel
import Storage
import Synchronization

/// Receives and stores the events that clients report.
///
/// An attendee's join token authenticates the sender. The intake acknowledges events only after the
/// store has written them to disk.
final class ClientEventIntake: Sendable {
  let control: ControlPlane
  let events: ClientEventsStore
  private let requests = Mutex(Window())

  /// The number of requests of each attendee in the current window of ten seconds.
  private struct Window {
    var number: Int64 = 0
    var counts: [AttendeeID: Int] = [:]
  }

  /// The maximum number of requests of an attendee in ten seconds. A client needs two or three.
  static let mostRequests = 20

  /// How long the store keeps events.
  private let retention: Duration

  init(into events: ClientEventsStore, of control: ControlPlane, keepingFor retention: Duration) {
    (self.events, self.control, self.retention) = (events, control, retention)
  }

  /// Stores the events of a batch.
  ///
  /// - Throws: `ForbiddenException` unless the token belongs to the attendee in the events;
  ///   `ThrottlingException`; `ServiceUnavailableException` if the store cannot store the events.
  ///   After the end of a meeting, the intake still accepts the meeting's tokens until the store
  ///   deletes the entry of the meeting.
  func take(_ batch: ClientEventBatch, provenBy token: JoinToken) async throws(RESTError) {
    let (primary, name) = try await sender(of: batch, provenBy: token)
    let now = control.settings.now()
    guard hasTurn(batch.attendee, at: now) else {
      throw RESTError(
        .throttling,
        """
        The attendee sent more than \(Self.mostRequests) requests in ten seconds; put more events \
        into each request.
        """,
        retryAfter: 10)
    }
    do {
      try await events.add(batch.events(primary: primary, externalUserID: name, at: now))
    } catch { throw RESTError(control.report(error)) }
  }

  /// Deletes the events whose retention time has passed.
  func purge() async throws(Status) {
    let oldest = control.settings.now() - Int64(retention / .milliseconds(1))
    do { try await events.purge(receivedBefore: oldest) } catch { throw control.report(error) }
  }

  private func sender(
    of batch: ClientEventBatch, provenBy token: JoinToken
  ) async throws(RESTError) -> (primary: MeetingID?, name: ExternalUserID?) {
    let admission: JoinCredentialsCheck
    do {
      admission = try await control.store.admission(
        meeting: batch.meeting, attendee: batch.attendee, token: token)
    } catch { throw RESTError(control.report(error)) }
    switch admission {
    case .admitted(let meeting, let attendee): return (meeting.primaryID, attendee.externalUserID)
    case .meetingEnded: return (nil, nil)
    case .refused:
      throw RESTError(
        .forbidden,
        """
        The join token does not belong to the attendee of these events; send the token of this \
        attendee.
        """)
    }
  }

  private func hasTurn(_ attendee: AttendeeID, at now: Int64) -> Bool {
    requests.withLock { window in
      if window.number != now / 10_000 { window = Window(number: now / 10_000) }
      window.counts[attendee, default: 0] += 1
      return window.counts[attendee, default: 0] <= Self.mostRequests
    }
  }
}
