/// The clients of the demo's meeting with sound and pictures, and their sentences.
final class DemoMediaMeeting: Sendable {
  let meeting: ControlAPIClient.Created
  let adaWords: [Int16]
  let benWords: [Int16]
  let everybody: [DemoMediaClient]

  init(
    meeting: ControlAPIClient.Created, ada: [Int16], ben: [Int16], everybody: [DemoMediaClient]
  ) {
    (self.meeting, adaWords, benWords) = (meeting, ada, ben)
    self.everybody = everybody
  }

  var meetingID: String { meeting.id }

  /// The length of each client's recording so far, in samples.
  var marks: [Int] { everybody.map(\.ear.mark) }
}
