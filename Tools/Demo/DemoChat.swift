internal import MeetingViews

/// The clients of the demo that receive data messages.
struct DemoChat: Sendable {
  /// A client of the Swift library in this process.
  let ada: Watcher
  /// A client of the Swift library in this process.
  let ben: Watcher
  /// A client of the Python library in its own process.
  let eve: ProcessWatcher

  /// The clients that receive the messages that Ada sends.
  var receivers: WatchedGroup { WatchedGroup(clients: [ben, eve]) }

  var everybody: WatchedGroup { WatchedGroup(clients: [ada, ben, eve]) }
}
