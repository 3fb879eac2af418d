internal import ArgumentParser
internal import Storage

/// The options that select the records of meetings.
struct MeetingRecordsOptions: ParsableArguments {
  @OptionGroup var data: DataDirectoryOptions

  func store() throws -> MeetingStore {
    try MeetingStore(
      in: data.location(having: "meetings.sqlite"),
      tokens: JoinTokenIssuer(keyFile: "\(data.find().path)/token.key"))
  }
}
