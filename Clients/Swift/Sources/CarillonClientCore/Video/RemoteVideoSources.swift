/// The available remote video sources. The same object represents a source while the source is
/// available.
struct RemoteVideoSources: Sendable {
  private var sources: [String: MainQueueBox<RemoteVideoSource>] = [:]

  /// Adds the sources of the given attendees, and returns their objects.
  mutating func begin(_ attendeeIds: [String]) -> [MainQueueBox<RemoteVideoSource>] {
    attendeeIds.map { attendeeId in
      if let known = sources[attendeeId] { return known }
      let source = RemoteVideoSource()
      source.attendeeId = attendeeId
      let bound = MainQueueBox(value: source)
      sources[attendeeId] = bound
      return bound
    }
  }

  /// Removes the sources of the given attendees.
  ///
  /// - Returns: The objects of the sources that were available.
  mutating func end(_ attendeeIds: [String]) -> [MainQueueBox<RemoteVideoSource>] {
    attendeeIds.compactMap { sources.removeValue(forKey: $0) }
  }
}
