import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// One meeting's metrics, as media publishes them to gateways and returns them to operators.
actor MediaFigures {
  private nonisolated let thread: SocketThread
  private let told = AwaitableEntryList<(participants: [String], metrics: V1.MediaMetrics)>()
  private let meeting: MeetingID
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(of meeting: TestMeeting) throws {
    thread = meeting.installation.thread
    self.meeting = try MeetingID(meeting.record.meetingID)
  }

  /// Subscribes to media while `body` runs. The subscription ends even if `body` throws.
  static func run(of meeting: TestMeeting, _ body: (MediaFigures) async throws -> Void) async throws
  {
    let figures = try MediaFigures(of: meeting)
    do {
      try await figures.open(in: meeting.installation)
      try await body(figures)
    } catch {
      await figures.close()
      throw error
    }
    await figures.close()
  }

  private func open(in installation: Installation) throws {
    channel = try RequestChannel(
      to: .ipc(installation.mediaPath("rpc")), in: installation.context, on: thread)
    let subscriber = try EventSubscriber(
      to: .ipc(installation.mediaPath("events")), instance: "media-a", in: installation.context,
      on: thread)
    subscriber.onEvent = { [told] event in
      let events = (try? V1.SessionEvents(packed: event.body))?.events ?? []
      for case .mediaMetrics(let metrics)? in events.map(\.event) {
        told.append((event.header.onlyFor, metrics))
      }
    }
    subscriber.subscribe(to: .media(of: meeting))
    self.subscriber = subscriber
  }

  private func close() {
    subscriber?.close()
    channel?.close()
    (subscriber, channel) = (nil, nil)
  }

  /// Returns the metrics that a participant has received so far, one entry per second.
  nonisolated func told(to attendeeID: String) -> [V1.MediaMetrics] {
    told.entries.filter { $0.participants == [attendeeID] }.map(\.metrics)
  }

  /// Waits until the metrics of a participant include all losses so far.
  func catchesUp(on attendeeID: String) async throws {
    let count = told(to: attendeeID).count
    try await told.wait(for: "what \(attendeeID) is told") { told in
      told.count { $0.participants == [attendeeID] } >= count + 3
    }
  }

  /// Returns the statistics of one participant; `nil` until media has admitted the participant. A
  /// client may join before media has admitted the client.
  func statistics(
    of attendeeID: String
  ) async throws(MeetingModel.Status) -> V1.ParticipantMedia? {
    let request = V1.GetMediaStatisticsRequest(meetingID: meeting.text)
    do throws(MeetingModel.Status) {
      return try await channel?.call(
        V1.MediaMethods.getStatistics, request, CallOptions(timeout: .seconds(15))
      ).participants.first { $0.attendee?.attendeeID == attendeeID }
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}

extension V1.UplinkMetrics {
  /// The number of lost packets.
  var lost: Double {
    Double(packets) * Double(lossPpm) / Double(1_000_000 - min(lossPpm, 999_999))
  }
}
