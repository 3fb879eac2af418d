import Foundation
import Testing

@testable import Output

@Suite(.timeLimit(.minutes(5))) struct OutputReaderMonitorTests {
  @Test func `a pipe counts as unread when the reader has closed the pipe`() async throws {
    let pipe = Pipe()
    #expect(!OutputReaderMonitor.isUnread(pipe.fileHandleForWriting.fileDescriptor))
    try pipe.fileHandleForReading.close()
    #expect(OutputReaderMonitor.isUnread(pipe.fileHandleForWriting.fileDescriptor))
    await OutputReaderMonitor.waitUntilUnread(pipe.fileHandleForWriting.fileDescriptor)
  }

  @Test func `a pipe with a reader, a file and a closed output never count as unread`()
    async throws
  {
    let pipe = Pipe()
    let file = try #require(FileHandle(forWritingAtPath: "/dev/null"))
    for descriptor in [pipe.fileHandleForWriting.fileDescriptor, file.fileDescriptor, 1_000_000] {
      let isCancelledAtTheEnd = Task {
        await OutputReaderMonitor.waitUntilUnread(descriptor)
        return Task.isCancelled
      }
      try await Task.sleep(for: .milliseconds(50))
      isCancelledAtTheEnd.cancel()
      #expect(await isCancelledAtTheEnd.value)
    }
  }
}
