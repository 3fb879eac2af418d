/// Why the signalling of video was lost.
public enum SignalingDroppedError: Int, Error, CaseNamed {
  case none
  case signalingClientDisconnected
  case signalingClientClosed
  case signalingClientEOF
  case signalingClientError
  case signalingClientProxyError
  case signalingClientOpenFailed
  case signalFrameParseFailed
  case signalFrameSerializeFailed
  case signalFrameSendingFailed
  case internalServerError
  case other
}
