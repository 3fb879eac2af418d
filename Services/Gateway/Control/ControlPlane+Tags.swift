import MeetingModel
import Storage

// Reads and changes the tags of meetings. Only applications use tags.
extension ControlPlane {
  /// Adds tags, or changes the values of existing tags.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting; `resourceExhausted` if the meeting would
  ///   have too many tags. An error changes no tag.
  func setTags(_ tags: [MeetingTag], of meeting: MeetingID) async throws(Status) {
    do { try await store.setTags(tags, of: meeting) } catch { throw report(error) }
  }

  /// Removes tags from a meeting. Ignores unknown keys.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting.
  func removeTags(_ keys: [String], of meeting: MeetingID) async throws(Status) {
    do { try await store.removeTags(keys, of: meeting) } catch { throw report(error) }
  }

  /// - Throws: `notFound` for an unknown or ended meeting.
  func tags(of meeting: MeetingID) async throws(Status) -> [MeetingTag] {
    do { return try await store.tags(of: meeting) } catch { throw report(error) }
  }
}
