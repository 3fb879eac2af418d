import MeetingModel
import Storage

// Tags of meetings, which only applications use.
extension ControlPlane {
  /// Adds tags, or changes the values of existing ones.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting; `resourceExhausted` if there would be
  ///   too many tags, and then none is set.
  func setTags(_ tags: [MeetingTag], of meeting: MeetingID) async throws(Status) {
    do { try await store.setTags(tags, of: meeting) } catch { throw report(error) }
  }

  /// Removes tags from a meeting; unknown keys are ignored.
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
