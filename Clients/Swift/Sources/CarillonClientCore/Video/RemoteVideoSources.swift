/// The videos that others offer: the same object for each as long as it is offered.
struct RemoteVideoSources: Sendable {
  private var sources: [String: MainBound<RemoteVideoSource>] = [:]

  /// These attendees offer video now.
  mutating func begin(_ attendeeIds: [String]) -> [MainBound<RemoteVideoSource>] {
    attendeeIds.map { attendeeId in
      if let known = sources[attendeeId] { return known }
      let source = RemoteVideoSource()
      source.attendeeId = attendeeId
      let bound = MainBound(value: source)
      sources[attendeeId] = bound
      return bound
    }
  }

  /// These offer none any more.
  ///
  /// - Returns: The objects of those that did.
  mutating func end(_ attendeeIds: [String]) -> [MainBound<RemoteVideoSource>] {
    attendeeIds.compactMap { sources.removeValue(forKey: $0) }
  }
}
