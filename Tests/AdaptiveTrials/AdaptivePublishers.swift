import Trials
import Wire

/// The publishers of an ``AdaptiveMeeting``, for a meeting whose receivers are other programs.
public struct AdaptivePublishers: Sendable {
  private let participants: [TrialParticipant]
  private let cameras: [NoisyCamera]

  /// Joins as attendees, and starts their cameras. The first attendee speaks and sends the pinned
  /// camera.
  ///
  /// - Parameters:
  ///   - lines: A line for each attendee: the ids of the meeting and of the attendee, the
  ///     attendee's external user id, and the join token, separated by spaces.
  ///   - gatewayURL: The URL of the gateway.
  public init(_ lines: [String], through gatewayURL: String) async throws {
    participants = lines.map { line in
      let words = line.split(separator: " ").map(String.init) + Array(repeating: "", count: 4)
      return TrialParticipant(
        V1.AttendeeRecord(
          meetingID: words[0], attendeeID: words[1], externalUserID: words[2], joinToken: words[3]),
        isSpeaking: line == lines.first, through: gatewayURL)
    }
    for participant in participants { try await participant.join() }
    cameras = AdaptiveMeeting.film(participants)
    for (index, participant) in participants.enumerated() {
      participant.show(cameras[index], isPinned: index == 0)
    }
  }

  /// Stops the cameras, and leaves the meeting.
  public func stop() async throws {
    for camera in cameras { camera.stop() }
    for participant in participants { try await participant.leave() }
  }
}
