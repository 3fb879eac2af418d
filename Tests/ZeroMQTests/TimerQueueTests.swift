import Testing

@testable import ZeroMQ

@Suite struct TimerQueueTests {
  let start = ContinuousClock.now

  @Test func `a thousand timers run in order, except cancelled timers`() {
    var queue = TimerQueue()
    var ran: [Int] = []
    var expected: [Int] = []
    let box = Box(ran)
    for number in 0..<1000 {
      let delay = (number * 7919) % 500
      let timer = queue.add(at: start + .milliseconds(delay)) { box.value.append(delay) }
      if number % 3 > 0 {
        #expect(queue.cancel(timer) != nil)
        #expect(queue.cancel(timer) == nil)
      } else {
        expected.append(delay)
      }
    }
    #expect(queue.count == expected.count)
    while let deadline = queue.nextDeadline() {
      #expect(queue.popDue(at: deadline - .nanoseconds(1), before: queue.nextID) == nil)
      queue.popDue(at: deadline, before: queue.nextID)?()
    }
    ran = box.value
    #expect(ran == expected.sorted())
    #expect(queue.count == 0)
  }

  @Test func `timers with equal times keep the order of their creation`() {
    var queue = TimerQueue()
    let ran = Box<[Int]>([])
    for number in 0..<50 { _ = queue.add(at: start) { ran.value.append(number) } }
    while let body = queue.popDue(at: start, before: queue.nextID) { body() }
    #expect(ran.value == Array(0..<50))
  }

  @Test func `a timer that is added during a turn waits for the next turn`() {
    var queue = TimerQueue()
    let limit = queue.nextID
    _ = queue.add(at: start) {}
    #expect(queue.popDue(at: start, before: limit) == nil)
    #expect(queue.popDue(at: start, before: queue.nextID) != nil)
  }

  @Test(
    arguments: [
      (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
      (.seconds(3), 3000), (.seconds(Int64.max), .max), (.milliseconds(-5), -5),
    ] as [(Duration, Int32)])
  func `the wait for a timer is rounded up to whole milliseconds`(
    duration: Duration, milliseconds: Int32
  ) {
    #expect(duration.milliseconds == milliseconds)
  }
}
