import MeetingModel
import RTP

/// Fuzzes H.264 payloads, parameter sets, and the splitting and assembly of access units.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  _ = H264Payload.startsKeyFrame(bytes.span)
  _ = H264Payload.sequenceParameters(bytes.span)
  if let parameters = H264SequenceParameters(bytes.span) {
    FuzzInput.require(parameters.width > 0 && parameters.height > 0, "a picture has a size")
  }
  var sets = H264ParameterSets()
  sets.take(bytes.span)
  let kept = sets.payload?.count ?? 0
  FuzzInput.require(
    kept <= H264ParameterSets.maximumPayloadBytes, "parameter sets fit into a payload")
  FuzzInput.assemble(bytes, .h264)
  var packetizer = H264Packetizer(maximumPayloadBytes: 64)
  var (isOpen, payloads) = (true, 0)
  packetizer.packetize(bytes.span) { payload, isLast in
    FuzzInput.require(isOpen && payload.count <= 64, "payloads fit, and none follows the last one")
    isOpen = !isLast
    payloads += 1
  }
  FuzzInput.require(isOpen == (payloads == 0), "the last payload is marked")
  return 0
}
