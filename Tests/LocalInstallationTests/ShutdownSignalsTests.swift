import Foundation
import Testing

@testable import LocalInstallation

@Suite(.timeLimit(.minutes(5))) struct ShutdownSignalsTests {
  @Test(arguments: 1...20)
  func `a signal is not lost if it arrives right after the handlers are installed`(_: Int) async {
    await #expect(processExitsWith: .success) {
      alarm(10)
      let signals = ShutdownSignals()
      kill(getpid(), SIGINT)
      exit(await signals.next() == SIGINT ? 0 : 1)
    }
  }
}
