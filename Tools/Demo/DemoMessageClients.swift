internal import MeetingViews

/// Those clients of the demo that receive data messages.
struct DemoMessageClients: Sendable {
  /// A client of the Swift library in this process.
  let ada: InProcessClient
  /// A client of the Swift library in this process.
  let ben: InProcessClient
  /// A client of the Python library in its own process.
  let eve: SubprocessClient

  /// The clients that receive the messages that Ada sends.
  var receivers: ObservedClientGroup { ObservedClientGroup(clients: [ben, eve]) }

  var everybody: ObservedClientGroup { ObservedClientGroup(clients: [ada, ben, eve]) }
}
