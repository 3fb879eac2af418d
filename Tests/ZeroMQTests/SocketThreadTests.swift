import Glibc
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct SocketThreadTests {
  /// A counter that runs on a socket thread.
  actor Counter {
    nonisolated let thread: SocketThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var count = 0
    private(set) var strays = 0

    init(on thread: SocketThread) { self.thread = thread }

    func increment() {
      count += 1
      if !thread.isCurrent { strays += 1 }
    }

    nonisolated func incrementHere() { assumeIsolated { $0.increment() } }

    func incrementFromTimer() async {
      await withCheckedContinuation { continuation in
        _ = thread.schedule(after: .zero) {
          self.incrementHere()
          continuation.resume()
        }
      }
    }
  }

  @Test func `the thread runs ten thousand jobs of four tasks`() async throws {
    try await withThread { _, thread in
      let counter = Counter(on: thread)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<2500 { await counter.increment() } }
        }
      }
      #expect(await counter.count == 10_000)
      #expect(await counter.strays == 0)
      #expect(!thread.isCurrent)
    }
  }

  @Test func `a timer can assume the isolation of an actor on the timer's thread`() async throws {
    try await withThread { _, thread in
      let counter = Counter(on: thread)
      await counter.incrementFromTimer()
      #expect(await counter.count == 1)
    }
  }

  @Test func `a task that prefers the socket thread returns to that thread after each wait`()
    async throws
  {
    try await withThread { _, thread in
      let counter = Counter(on: thread)
      try await on(thread) {
        for _ in 0..<100 {
          #expect(thread.isCurrent)
          await counter.increment()
          await Task.yield()
        }
        #expect(thread.isCurrent)
      }
    }
  }

  @Test func `timers run in the order of their times, and at equal times in the order of creation`()
    async throws
  {
    try await withThread { _, thread in
      let order = try await on(thread) { () -> [Int] in
        let order = Box<[Int]>([])
        await withCheckedContinuation { continuation in
          for (number, delay) in [(3, 20), (1, 5), (0, 0), (2, 10)] {
            _ = thread.schedule(after: .milliseconds(delay)) { order.value.append(number) }
          }
          _ = thread.schedule(after: .seconds(-1)) { order.value.append(-1) }
          let cancelled = thread.schedule(after: .milliseconds(1)) { order.value.append(99) }
          thread.cancel(cancelled)
          thread.cancel(cancelled)
          _ = thread.schedule(after: .milliseconds(25)) { continuation.resume() }
        }
        return order.value
      }
      #expect(Set(order.prefix(2)) == [-1, 0])
      #expect(order.dropFirst(2) == [1, 2, 3])
    }
  }

  @Test func `a timer never runs early by the thread's time of the current turn`() async throws {
    try await withThread { _, thread in
      let (start, end) = try await on(thread) {
        await withCheckedContinuation { continuation in
          let start = ContinuousClock.now
          _ = thread.schedule(after: .milliseconds(3)) {
            continuation.resume(returning: (start, thread.now))
          }
        }
      }
      #expect(end - start >= .milliseconds(3))
    }
  }

  @Test func `a descriptor is watched until its watch ends`() async throws {
    try await withThread { _, thread in
      try await on(thread) {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let calls = Box(0)
        let watch = Box<PollWatchID?>(nil)
        await withCheckedContinuation { continuation in
          watch.value = thread.watch(fileDescriptor: ends[0]) {
            // The descriptor is level-triggered: this closure runs again, because nobody has read
            // anything.
            calls.value += 1
            guard calls.value == 3, let watch = watch.value else { return }
            thread.unwatch(watch)
            continuation.resume()
          }
          #expect(write(ends[1], "x", 1) == 1)
        }
        #expect(calls.value == 3)
        close(ends[0])
        close(ends[1])
      }
    }
  }

  @Test func `a handler can end another watch whose handler is due`() async throws {
    try await withThread { _, thread in
      try await on(thread) {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let watches = Box<[PollWatchID]>([])
        let calls = Box(0)
        await withCheckedContinuation { continuation in
          for _ in 0..<2 {
            watches.value.append(
              thread.watch(fileDescriptor: ends[0]) {
                calls.value += 1
                for watch in watches.value { thread.unwatch(watch) }
                watches.value = []
                _ = thread.schedule(after: .milliseconds(2)) { continuation.resume() }
              })
          }
          #expect(write(ends[1], "x", 1) == 1)
        }
        #expect(calls.value == 1)
        close(ends[0])
        close(ends[1])
      }
    }
  }

  @Test func `a watch reports messages that arrived before the watch began`() async throws {
    try await withThread { context, thread in
      try await on(thread) {
        let router = try Socket(.router, in: context)
        try router.bind(to: .inproc("s"))
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect(to: .inproc("s"))
        for text in ["one", "two"] { #expect(try dealer.send(MessageFrame(text)) == .sent) }
        // The call that receives the first message also processes the event of the second message.
        // So the descriptor gives no further signal.
        #expect(try router.receive()?.last?.text == "one")
        let watch = Box<PollWatchID?>(nil)
        await withCheckedContinuation { continuation in
          watch.value = thread.watch(router) {
            if let watch = watch.value { thread.unwatch(watch) }
            continuation.resume()
          }
        }
        #expect(try router.receive()?.last?.text == "two")
      }
    }
  }

  @Test func `a watch reports a message that arrived during a send`() async throws {
    try await withThread { context, thread in
      try await on(thread) {
        let router = try Socket(.router, in: context)
        try router.bind(to: .inproc("s"))
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect(to: .inproc("s"))
        #expect(try dealer.send(MessageFrame("hello")) == .sent)
        let route = try #require(try router.receive()?.first)
        let received = Box<String?>(nil)
        let watch = Box<PollWatchID?>(nil)
        let socket = Box<Socket?>(nil)
        socket.value = consume dealer
        await withCheckedContinuation { continuation in
          switch socket.value {
          case .some(let dealer):
            watch.value = thread.watch(dealer) {
              received.value = (try? socket.value?.receive())?.last?.text
              if let watch = watch.value { thread.unwatch(watch) }
              continuation.resume()
            }
          case .none: break
          }
          // This closure runs after the loop has found the dealer empty. A send processes events
          // only if libzmq last processed events at least a millisecond earlier.
          _ = thread.schedule(after: .milliseconds(1)) {
            _ = try? router.send(route: route, MessageFrame("news"))
            let end = ContinuousClock.now + .milliseconds(5)
            while ContinuousClock.now < end { _ = try? socket.value?.send(MessageFrame("busy")) }
          }
        }
        #expect(received.value == "news")
      }
    }
  }

  @Test func `a hook runs after jobs and before polling, and again if it adds jobs`()
    async throws
  {
    try await withThread { _, thread in
      let counter = Counter(on: thread)
      let order = try await on(thread) { () -> [String] in
        let order = Box<[String]>([])
        let hook = Box<SocketThreadHookID?>(nil)
        await withCheckedContinuation { continuation in
          hook.value = thread.addBeforePoll {
            order.value.append("hook")
            let turn = order.value.count
            if turn == 2 {
              Task(executorPreference: thread) {
                await counter.increment()
                order.value.append("job of hook")
              }
            }
            if order.value.contains("job of hook"), let id = hook.value {
              thread.removeBeforePoll(id)
              continuation.resume()
            }
          }
          Task(executorPreference: thread) { order.value.append("job") }
        }
        return order.value
      }
      #expect(order.prefix(2) == ["job", "hook"])
      #expect(order.last == "hook")
      #expect(order.contains("job of hook"))
      #expect(await counter.count == 1)
    }
  }

  @Test func `endless jobs do not starve sockets and timers`() async throws {
    try await withThread { context, thread in
      let left = try await Peer.open(.pair, in: context, on: thread)
      let right = try await Peer.open(.pair, in: context, on: thread)
      try await right.connect(to: left.bind(to: .inproc("s")))
      let busy = Task(executorPreference: thread) {
        while !Task.isCancelled { await Task.yield() }
      }
      #expect(try await left.send("through") == .sent)
      #expect(await right.receive().map(\.text) == ["through"])
      try await on(thread) {
        await withCheckedContinuation { continuation in
          _ = thread.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
      }
      busy.cancel()
      await busy.value
      await left.close()
      await right.close()
    }
  }

  @Test func `a thread finishes its queue if the thread is stopped while it is busy`() async throws
  {
    let thread = SocketThread(name: "busy")
    let counter = Counter(on: thread)
    let tasks = (0..<4).map { _ in
      Task { for _ in 0..<1000 { await counter.increment() } }
    }
    await counter.increment()
    thread.stop()
    thread.stop()
    for task in tasks { await task.value }
    thread.join()
    thread.join()
    #expect(await counter.count == 4001)
    #expect(await counter.strays == 0)
  }

  @Test func `jobs still run, one at a time, after the thread has ended`() async throws {
    let thread = SocketThread(name: "ended")
    let counter = Counter(on: thread)
    thread.stop()
    thread.join()
    for _ in 0..<100 { await counter.increment() }
    #expect(await counter.count == 100)
    #expect(await counter.strays == 0)
    thread.join()
  }

  @Test func `jobs that run after the loop can remove watches and hooks that ended with the loop`()
    async throws
  {
    let thread = SocketThread(name: "ended")
    let (watch, hook) = try await on(thread) {
      (thread.watch(fileDescriptor: 0) {}, thread.addBeforePoll {})
    }
    thread.stop()
    thread.join()
    try await on(thread) {
      thread.unwatch(watch)
      thread.removeBeforePoll(hook)
    }
  }

  @Test func `threads can start and end quickly and often`() async throws {
    for _ in 0..<200 {
      let thread = SocketThread(name: "short")
      let counter = Counter(on: thread)
      await counter.increment()
      thread.stop()
      thread.join()
    }
  }

  @Test func `starting a watch from another thread stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = SocketThread(name: "test").watch(fileDescriptor: 0) {}
    }
  }

  @Test func `starting a timer from another thread stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = SocketThread(name: "test").schedule(after: .zero) {}
    }
  }

  @Test func `a thread that joins itself stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let thread = SocketThread(name: "test")
      try await on(thread) { thread.join() }
    }
  }

  @Test func `closing a watched socket stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let thread = SocketThread(name: "test")
      let context = try ZMQContext()
      try await on(thread) {
        let socket = try Socket(.pair, in: context)
        _ = thread.watch(socket) {}
      }
    }
  }

  @Test func `an actor cannot assume isolation on another thread`() async {
    await #expect(processExitsWith: .failure) {
      let counter = Counter(on: SocketThread(name: "test"))
      counter.incrementHere()
    }
  }
}
