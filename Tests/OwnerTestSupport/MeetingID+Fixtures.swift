public import MeetingModel

extension MeetingID {
  /// The meeting whose events the tests follow.
  public static let planning = numbered(1)
  public static let review = numbered(2)
  public static let audience = numbered(3)

  public static func numbered(_ number: UInt8) -> MeetingID {
    guard let id = try? MeetingID("00000000-0000-4000-8000-1000000000" + hex(number)) else {
      preconditionFailure("The fixture's meeting id is wrong.")
    }
    return id
  }
}
