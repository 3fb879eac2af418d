import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// What media measures in one meeting, as a gateway and an operator hear of it.
actor MediaFigures {
  private nonisolated let thread: SocketThread
  private let told = Journal<(participants: [String], metrics: V1.MediaMetrics)>()
  private let meeting: MeetingID
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(of meeting: TestMeeting) throws {
    thread = meeting.installation.thread
    self.meeting = try MeetingID(meeting.record.meetingID)
  }

  /// Listens to media for as long as `body` runs, and stops also when that throws.
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

  /// What a participant was told so far, once a second.
  nonisolated func told(to attendeeID: String) -> [V1.MediaMetrics] {
    told.entries.filter { $0.participants == [attendeeID] }.map(\.metrics)
  }

  /// Waits until all that was lost so far is in what a participant was told.
  func catchesUp(on attendeeID: String) async throws {
    let count = told(to: attendeeID).count
    try await told.wait(for: "what \(attendeeID) is told") { told in
      told.count { $0.participants == [attendeeID] } >= count + 3
    }
  }

  /// How one participant's media goes; `nil` until media has admitted it, which may be after its
  /// client is told that it is in.
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
  /// Packets that were lost of those that were sent.
  var lost: Double {
    Double(packets) * Double(lossPpm) / Double(1_000_000 - min(lossPpm, 999_999))
  }
}
