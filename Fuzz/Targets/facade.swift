import Wire

/// Fuzzes every request that a client may send.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe facade.read(FuzzInput.bytes(data, count))
  return 0
}

private typealias Methods = V1.AudioVideoFacadeMethods

nonisolated(unsafe) private let facade = ServiceReader(
  [
    RequestReader(Methods.start),
    RequestReader(Methods.stop),
    RequestReader(Methods.keepAlive),
    RequestReader(Methods.setMuted),
    RequestReader(Methods.sendDataMessage),
    RequestReader(Methods.publishVideo),
    RequestReader(Methods.unpublishVideo),
    RequestReader(Methods.setRemoteVideo),
    RequestReader(Methods.updateVideoSubscriptions),
    RequestReader(Methods.setTilePaused),
    RequestReader(Methods.setVoiceFocus),
    RequestReader(Methods.promoteToPrimaryMeeting),
    RequestReader(Methods.demoteFromPrimaryMeeting),
    RequestReader(Methods.setTranscriptLanguages),
    RequestReader(Methods.getLimits),
  ], methods: Methods.methods)
