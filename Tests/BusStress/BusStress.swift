import Bus
import Glibc
import MeetingModel
import Wire
import ZeroMQ

/// Runs a fixed number of operations on the bus from several threads, and checks every answer.
///
/// The program runs under ThreadSanitizer (`Scripts/tsan.sh`). Servers and clients run on three
/// socket threads. Calls, cancellations, streams, events and reconnects overlap.
@main
struct BusStress {
  /// The number of rounds. Each round has a new server and new clients at the same endpoints.
  private static let rounds = 8

  static func main() async throws {
    let directory = try makeDirectory()
    let context = try ZMQContext(ioThreads: 2)
    let threads = ["server", "client-1", "client-2"].map { SocketThread(name: $0) }
    var outcome = Outcome()
    for _ in 0..<rounds { outcome.add(try await run(in: directory, context, threads)) }
    for thread in threads {
      thread.stop()
      thread.join()
    }
    for file in ["rpc", "rpc.lock", "events", "events.lock"] { unlink("\(directory)/\(file)") }
    rmdir(directory)
    for failure in outcome.failures.prefix(20) { print("failed: \(failure)") }
    print("\(outcome.passed) passed, \(outcome.failures.count) failed")
    if !outcome.failures.isEmpty { exit(1) }
  }

  private static func run(
    in directory: String, _ context: ZMQContext, _ threads: [SocketThread]
  ) async throws -> Outcome {
    let rpc = try Endpoint.ipc("\(directory)/rpc")
    let events = try Endpoint.ipc("\(directory)/events")
    let server = StressServer(on: threads[0])
    // The clients start first, so their earliest calls wait for the server.
    let outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for number in 0..<4 {
        let client = StressClient(
          number: UInt64(number), calling: rpc, following: events, in: context,
          on: threads[1 + number % 2])
        group.addTask { try await client.run() }
      }
      try await server.open(at: rpc, publishingAt: events, in: context)
      return try await group.reduce(into: Outcome()) { $0.add($1) }
    }
    await server.close()
    return outcome
  }

  private static func makeDirectory() throws -> String {
    var template = Array("/tmp/bus-stress-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw StressError.noDirectory(code: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// An error that prevents the whole run.
enum StressError: Error {
  case noDirectory(code: Int32)
  case isClosed
}

/// The results of the checks.
struct Outcome: Sendable {
  private(set) var passed = 0
  private(set) var failures: [String] = []

  mutating func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
    if isRight { passed += 1 } else { failures.append(what()) }
  }

  mutating func add(_ other: Outcome) {
    passed += other.passed
    failures += other.failures
  }
}

/// The methods of the stress server.
enum StressMethods {
  typealias Message = V1.MeetingPosition

  /// Answers the request immediately.
  static let echo = UnaryMethod<Message, Message>(key: 1, name: "stress.Bus/Echo")
  /// Answers the request from a task that leaves the thread and returns to the thread.
  static let work = UnaryMethod<Message, Message>(key: 2, name: "stress.Bus/Work")
  /// Never answers. The call ends at its cancellation.
  static let hold = UnaryMethod<Message, Message>(key: 3, name: "stress.Bus/Hold")
  /// Sends the numbers from 1 to `lastSequence`.
  static let count = StreamMethod<Message, Message>(key: 4, name: "stress.Bus/Count")
  /// Publishes an event of the meeting, and answers with the event's sequence.
  static let publish = UnaryMethod<Message, Message>(key: 5, name: "stress.Bus/Publish")
  /// Returns the events after a position.
  static let replay = V1.PresenceMethods.replay
}
