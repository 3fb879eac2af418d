/// The id of one attachment. An engine that attaches again gets a new id.
struct EngineAttachmentID: Hashable, Sendable, Comparable {
  let number: UInt64

  static func < (left: EngineAttachmentID, right: EngineAttachmentID) -> Bool {
    left.number < right.number
  }
}
