import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct ReceiveBufferTests {
  @Test func `one receive buffer can be reused for messages of any length`() async throws {
    try await withThread { context, thread in
      try await on(thread) {
        let push = try Socket(.push, in: context)
        try push.bind(to: .inproc("s"))
        let pull = try Socket(.pull, in: context)
        try pull.connect(to: .inproc("s"))
        let large = String(repeating: "x", count: 10_000)
        let sent = [[large], ["a", large, "b", "c"], ["a", "b"], (0..<20).map { "\($0)" }, [""]]
        for texts in sent { #expect(try push.send(texts.map { MessageFrame($0) }) == .sent) }
        var message = ReceiveBuffer()
        #expect(message.partCount == 0)
        for texts in sent {
          #expect(try pull.receive(into: &message))
          #expect(message.partCount == min(texts.count, Socket.maximumParts + 1))
          for index in 0..<message.partCount {
            let bytes = message.withBytes(ofPart: index) { $0.withUnsafeBytes { Array($0) } }
            #expect(bytes == Array(texts[index].utf8))
          }
          #expect(message.takePart(message.partCount - 1).text == texts[message.partCount - 1])
        }
        #expect(try !pull.receive(into: &message))
        #expect(message.partCount == 0)
      }
    }
  }

  @Test(arguments: [0, 5, 33, 34, 10_000])
  func `a frame's writer writes directly into the sent message`(size: Int) async throws {
    try await withThread { context, thread in
      try await on(thread) {
        let router = try Socket(.router, in: context)
        try router.bind(to: .inproc("s"))
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect(to: .inproc("s"))
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let write = { (output: inout OutputRawSpan) in for byte in bytes { output.append(byte) } }
        #expect(try dealer.send(size: size, initializingWith: write) == .sent)
        let request = try #require(try router.receive())
        #expect(request[1].bytes == bytes)
        let results = request[0].withBytes { route in
          [
            try? router.send(route: route, size: size, initializingWith: write),
            try? router.send(route: route, request[1]),
          ]
        }
        #expect(results == [.sent, .sent])
        for _ in 0..<2 { #expect(try dealer.receive()?.map(\.bytes) == [bytes]) }
        let lost = MessageFrame("nobody").withBytes { route in
          try? router.send(route: route, size: size, initializingWith: write)
        }
        #expect(lost == .unroutable)
      }
    }
  }

  @Test func `access to a message part that does not exist stops the process`() async {
    await #expect(processExitsWith: .failure) {
      var message = ReceiveBuffer()
      message.withBytes(ofPart: 0) { _ in }
    }
  }
}
