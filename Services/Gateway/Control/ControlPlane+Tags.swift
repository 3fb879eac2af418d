import MeetingModel
import Storage

// Tags of meetings, which nobody but applications looks at.
extension ControlPlane {
  /// Adds tags, or changes the values of those that are there.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting, `resourceExhausted` if it would have too
  ///   many; nothing is set then.
  func setTags(_ tags: [MeetingTag], of meeting: MeetingID) async throws(Status) {
    do { try await store.setTags(tags, of: meeting) } catch { throw report(error) }
  }

  /// Takes tags off a meeting; keys that it does not have are ignored.
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
