internal import ArgumentParser
internal import Storage

/// Where the records of meetings are.
struct RecordsOptions: ParsableArguments {
  @OptionGroup var data: DataDirectoryOptions

  func store() throws -> MeetingStore {
    try MeetingStore(
      in: data.location(having: "meetings.sqlite"),
      tokens: JoinTokens(keyFile: "\(data.find().path)/token.key"))
  }
}
