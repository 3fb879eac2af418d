internal import MeetingViews

/// The clients of the demo that hear data messages.
struct DemoChat: Sendable {
  /// She is in this process, by the Swift library.
  let ada: Watcher
  /// He is in this process, by the Swift library.
  let ben: Watcher
  /// She is in a process of her own, by the Python library.
  let eve: ProcessWatcher

  /// Who hears what Ada sends.
  var receivers: WatchedGroup { WatchedGroup(clients: [ben, eve]) }

  var everybody: WatchedGroup { WatchedGroup(clients: [ada, ben, eve]) }
}
