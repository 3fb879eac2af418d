import Bus
import Foundation
import ZeroMQ

/// A client that makes calls from an actor on the socket thread, in tasks that prefer the thread's
/// executor. Services make calls in the same way.
///
/// Each line `COUNT OUTSTANDING` on standard input requests a run. For each run, the client writes
/// the line `P50_NS CALLS_PER_SECOND` to standard output.
actor EchoClient {
  private let thread: SocketThread
  private let context: ZMQContext
  private var channel: RequestChannel?
  private var took: [Duration] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(on thread: SocketThread, in context: ZMQContext) {
    (self.thread, self.context) = (thread, context)
  }

  /// Executes the runs that standard input requests, until standard input ends.
  static func obey(at path: String) async throws {
    let thread = SocketThread(name: "client")
    let client = try EchoClient(on: thread, in: ZMQContext())
    try await client.open(to: .ipc(path))
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw BenchError.usage }
      let run = Task(executorPreference: thread) {
        try await client.run(numbers[0], outstanding: numbers[1])
      }
      let answer = try await run.value
      try FileHandle.standardOutput.write(contentsOf: Data("\(answer)\n".utf8))
    }
    await client.close()
    thread.stop()
    thread.join()
  }

  private func open(to endpoint: Endpoint) throws {
    channel = try RequestChannel(to: endpoint, in: context, on: thread)
  }

  private func close() {
    channel?.close()
    channel = nil
  }

  private func run(_ count: Int, outstanding: Int) async throws -> String {
    took = []
    took.reserveCapacity(count)
    let began = ContinuousClock.now
    if outstanding == 1 {
      try await ask(count)
    } else {
      try await withThrowingTaskGroup { group in
        for _ in 0..<outstanding {
          group.addTask(executorPreference: self.thread) { try await self.ask(count / outstanding) }
        }
        try await group.waitForAll()
      }
    }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let half = took.sorted()[took.count / 2] / .nanoseconds(1)
    return "\(Int(half)) \(Int(Double(took.count) / seconds))"
  }

  private func ask(_ count: Int) async throws {
    guard let channel else { throw BenchError.closed }
    for _ in 0..<count {
      let began = ContinuousClock.now
      _ = try await channel.call(EchoMethod.method, EchoMethod.request, CallOptions())
      took.append(ContinuousClock.now - began)
    }
  }
}
