import Bus
import MeetingModel
import TestSupport
import Wire
import ZeroMQ

/// The sockets of a test, and the socket thread on which the test's body runs.
final class TestBus {
  let context: ZMQContext
  let thread: SocketThread
  let directory: String
  private var cleanups: [() -> Void] = []

  init(context: ZMQContext, thread: SocketThread, directory: String) {
    self.context = context
    self.thread = thread
    self.directory = directory
  }

  func endpoint(_ name: String = "rpc") throws -> Endpoint { try .ipc("\(directory)/\(name)") }

  func server(
    _ name: String = "rpc", options: RequestServerLimits = RequestServerLimits()
  ) throws -> RequestServer {
    let server = try RequestServer(
      at: [endpoint(name)], in: context, on: thread, options: options)
    cleanups.append { server.close() }
    return server
  }

  /// Makes a server for clients, with a ``ClientListener``.
  func clientServer(
    _ name: String = "rpc", listening: ListenerLimits = .requests
  ) throws -> RequestServer {
    let server = try RequestServer(
      ofClientsAt: [endpoint(name)], on: thread, listening: listening)
    cleanups.append { server.close() }
    return server
  }

  func channel(_ name: String = "rpc") throws -> RequestChannel {
    let channel = try RequestChannel(to: endpoint(name), in: context, on: thread)
    cleanups.append { channel.close() }
    return channel
  }

  /// Makes a DEALER that can send frames that no channel sends.
  func dealer(_ name: String = "rpc") throws -> RawPeer {
    let peer = try RawPeer(.dealer, in: context, on: thread)
    cleanups.append { peer.close() }
    try peer.connect(to: endpoint(name))
    return peer
  }

  /// Makes a ROUTER that can send answers that no server sends.
  func router(_ name: String = "rpc") throws -> RawPeer {
    let peer = try RawPeer(.router, in: context, on: thread)
    cleanups.append { peer.close() }
    try peer.bind(to: endpoint(name))
    return peer
  }

  func cleanUp(_ body: @escaping () -> Void) { cleanups.append(body) }

  func close() {
    for cleanup in cleanups.reversed() { cleanup() }
    cleanups = []
  }
}

/// Runs `body` on a new socket thread in a new directory, and then closes the sockets of the bus.
func withTestBus(_ body: @escaping @Sendable (TestBus) async throws -> Void) async throws {
  try await withSocketThread("test") { directory, context, thread in
    let bus = TestBus(context: context, thread: thread, directory: directory)
    defer { bus.close() }
    try await body(bus)
  }
}

/// A queue of elements that a test awaits in order. Use a queue on one thread only.
final class Inbox<Element: Sendable> {
  private var elements: [Element] = []
  private var reader: CheckedContinuation<Element, Never>?

  /// The number of waiting elements.
  var count: Int { elements.count }

  func put(_ element: Element) {
    if let reader {
      self.reader = nil
      reader.resume(returning: element)
    } else {
      elements.append(element)
    }
  }

  func next() async -> Element {
    // The closure checks for an element first, because one may arrive before the closure runs.
    await withCheckedContinuation { continuation in
      if elements.isEmpty {
        reader = continuation
      } else {
        continuation.resume(returning: elements.removeFirst())
      }
    }
  }

  /// Returns the next element that matches, and drops the elements before this element.
  func first(where matches: (Element) -> Bool) async -> Element {
    while true {
      let element = await next()
      if matches(element) { return element }
    }
  }
}

extension Inbox where Element == Void {
  func put() { put(()) }
}

/// The methods that tests serve and call. The `epoch`, `lastSequence` and `meetingID` of a request
/// may have any value.
enum TestMethods {
  typealias Message = V1.MeetingPosition

  static let echo = UnaryMethod<Message, Message>(key: 11, name: "test.Bus/Echo")
  static let hold = UnaryMethod<Message, Message>(key: 12, name: "test.Bus/Hold")
  static let count = StreamMethod<Message, Message>(key: 13, name: "test.Bus/Count")
  static let start = V1.AudioVideoFacadeMethods.start
}

/// Counts the events that a server reports.
final class Tally: RequestObserver {
  private(set) var finished: [StatusCode: Int] = [:]
  private(set) var rejected: [RequestRejectionReason: Int] = [:]
  private(set) var undeliverable = 0

  var finishedCount: Int { finished.values.reduce(0, +) }
  var rejectedCount: Int { rejected.values.reduce(0, +) }

  func requestDidFinish(_ method: MethodDescription, _ code: StatusCode, after: Duration) {
    finished[code, default: 0] += 1
  }

  func requestWasRejected(_ reason: RequestRejectionReason) { rejected[reason, default: 0] += 1 }

  func replyWasUndeliverable() { undeliverable += 1 }
}

extension CallOptions {
  /// Call options whose timeout is longer than the duration of any test.
  static let patient = CallOptions(timeout: .seconds(50))
}

extension MessageFrame {
  /// Makes a request frame.
  init(_ header: V1.RequestHeader, _ body: some WireMessage = TestMethods.Message()) {
    self.init(WireFrame.pack(header: header, body: body))
  }
}

extension V1.RequestHeader {
  static func call(
    _ callID: UInt64, _ method: UInt32 = TestMethods.echo.key, version: UInt32 = 1,
    timeout: UInt64 = 0
  ) -> V1.RequestHeader {
    V1.RequestHeader(
      version: version, callID: callID, kind: .call, method: method, timeoutUs: timeout)
  }

  static func cancel(_ callID: UInt64) -> V1.RequestHeader {
    V1.RequestHeader(version: 1, callID: callID, kind: .cancel)
  }
}
