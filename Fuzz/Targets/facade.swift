import Wire

/// Fuzzes every request that a client may send.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe facade.read(FuzzInput.bytes(data, count))
  return 0
}

private typealias Methods = V1.AudioVideoFacadeMethods

nonisolated(unsafe) private let facade = FuzzServiceRequestReader(
  [
    FuzzMethodRequestReader(Methods.start),
    FuzzMethodRequestReader(Methods.stop),
    FuzzMethodRequestReader(Methods.keepAlive),
    FuzzMethodRequestReader(Methods.setMuted),
    FuzzMethodRequestReader(Methods.sendDataMessage),
    FuzzMethodRequestReader(Methods.publishVideo),
    FuzzMethodRequestReader(Methods.unpublishVideo),
    FuzzMethodRequestReader(Methods.setRemoteVideo),
    FuzzMethodRequestReader(Methods.updateVideoSubscriptions),
    FuzzMethodRequestReader(Methods.setTilePaused),
    FuzzMethodRequestReader(Methods.setVoiceFocus),
    FuzzMethodRequestReader(Methods.promoteToPrimaryMeeting),
    FuzzMethodRequestReader(Methods.demoteFromPrimaryMeeting),
    FuzzMethodRequestReader(Methods.setTranscriptLanguages),
    FuzzMethodRequestReader(Methods.getLimits),
  ], methods: Methods.methods)
