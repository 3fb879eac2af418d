import Bus
import Testing

struct StreamCursorTests {
  @Test(
    arguments: [
      (epoch: 7, sequence: 43, .take, 43),
      (epoch: 7, sequence: 42, .skip, 42),
      (epoch: 7, sequence: 1, .skip, 42),
      (epoch: 7, sequence: 44, .catchUp, 42),
      (epoch: 7, sequence: .max, .catchUp, 42),
      (epoch: 8, sequence: 1, .catchUp, 42),
      (epoch: 8, sequence: 43, .catchUp, 42),
      (epoch: 6, sequence: 43, .catchUp, 42),
    ] as [(epoch: UInt64, sequence: UInt64, StreamCursor.Verdict, UInt64)])
  func `an arriving event is accepted, is skipped or reveals a gap`(
    epoch: UInt64, sequence: UInt64, verdict: StreamCursor.Verdict, leadsTo: UInt64
  ) {
    var cursor = StreamCursor(epoch: 7, sequence: 42)
    #expect(cursor.arrive(epoch: epoch, sequence: sequence) == verdict)
    #expect(cursor == StreamCursor(epoch: 7, sequence: leadsTo))
  }

  @Test(
    arguments: [
      (epoch: 7, lastSequence: 42, false), (epoch: 7, lastSequence: 41, false),
      (epoch: 7, lastSequence: 43, true), (epoch: 8, lastSequence: 0, true),
      (epoch: 6, lastSequence: 42, true),
    ] as [(epoch: UInt64, lastSequence: UInt64, Bool)])
  func `a beacon with a later position or another epoch reveals missing events`(
    epoch: UInt64, lastSequence: UInt64, isBehind: Bool
  ) {
    let cursor = StreamCursor(epoch: 7, sequence: 42)
    #expect(cursor.isBehind(epoch: epoch, lastSequence: lastSequence) == isBehind)
  }
}
