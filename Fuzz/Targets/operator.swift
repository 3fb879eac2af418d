import Wire

/// Fuzzes every request that the command line can send to a gateway.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe operatorService.read(FuzzInput.bytes(data, count))
  return 0
}

private typealias Methods = V1.OperatorMethods

nonisolated(unsafe) private let operatorService = FuzzServiceRequestReader(
  [
    FuzzMethodRequestReader(Methods.createMeeting),
    FuzzMethodRequestReader(Methods.getMeeting),
    FuzzMethodRequestReader(Methods.listMeetings),
    FuzzMethodRequestReader(Methods.deleteMeeting),
    FuzzMethodRequestReader(Methods.createAttendee),
    FuzzMethodRequestReader(Methods.listAttendees),
    FuzzMethodRequestReader(Methods.deleteAttendee),
    FuzzMethodRequestReader(Methods.setMutedByOperator),
    FuzzMethodRequestReader(Methods.demoteAttendee),
    FuzzMethodRequestReader(Methods.setBarred),
    FuzzMethodRequestReader(Methods.setLocked),
    FuzzMethodRequestReader(Methods.getRoster),
    FuzzMethodRequestReader(Methods.listMessages),
    FuzzMethodRequestReader(Methods.watchTiles),
    FuzzMethodRequestReader(Methods.startTranscription),
    FuzzMethodRequestReader(Methods.stopTranscription),
    FuzzMethodRequestReader(Methods.getTranscription),
    FuzzMethodRequestReader(Methods.listTranscriptionEngines),
    FuzzMethodRequestReader(Methods.setSpokenLanguage),
    FuzzMethodRequestReader(Methods.getLimits),
    FuzzMethodRequestReader(Methods.getServices),
  ], methods: Methods.methods)
