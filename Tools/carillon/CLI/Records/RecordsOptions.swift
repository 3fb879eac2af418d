internal import ArgumentParser
internal import Output
internal import Storage

/// Where the records of meetings are.
struct RecordsOptions: ParsableArguments {
  @OptionGroup var data: DataDirectoryOptions

  func store() throws -> MeetingStore {
    let directory = try data.find().path
    guard FileFacts(at: "\(directory)/meetings.sqlite") != nil else {
      throw CommandFailure.precondition(
        "There is no \(directory)/meetings.sqlite; no gateway has made it yet.")
    }
    return try MeetingStore(
      path: "\(directory)/meetings.sqlite",
      tokens: JoinTokens(keyFile: "\(directory)/token.key"))
  }
}
