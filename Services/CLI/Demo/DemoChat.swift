/// The clients of the demo that hear data messages.
struct DemoChat: Sendable {
  /// In this process, by the Swift library.
  let ada: Watcher
  /// In this process, by the Swift library.
  let ben: Watcher
  /// In a process of its own, by the Python library.
  let eve: ProcessWatcher

  /// Who hears what Ada sends.
  var receivers: DemoCast { DemoCast(clients: [ben, eve]) }

  var everybody: DemoCast { DemoCast(clients: [ada, ben, eve]) }
}
