import Wire

/// Fuzzes every request that the command line can send to a gateway.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe operatorService.read(FuzzInput.bytes(data, count))
  return 0
}

private typealias Methods = V1.OperatorMethods

nonisolated(unsafe) private let operatorService = ServiceReader(
  [
    RequestReader(Methods.createMeeting),
    RequestReader(Methods.getMeeting),
    RequestReader(Methods.listMeetings),
    RequestReader(Methods.deleteMeeting),
    RequestReader(Methods.createAttendee),
    RequestReader(Methods.listAttendees),
    RequestReader(Methods.deleteAttendee),
    RequestReader(Methods.setMutedByOperator),
    RequestReader(Methods.demoteAttendee),
    RequestReader(Methods.setBarred),
    RequestReader(Methods.setLocked),
    RequestReader(Methods.getRoster),
    RequestReader(Methods.listMessages),
    RequestReader(Methods.watchTiles),
    RequestReader(Methods.startTranscription),
    RequestReader(Methods.stopTranscription),
    RequestReader(Methods.getTranscription),
    RequestReader(Methods.listTranscriptionEngines),
    RequestReader(Methods.setSpokenLanguage),
    RequestReader(Methods.getLimits),
    RequestReader(Methods.getServices),
  ], methods: Methods.methods)
