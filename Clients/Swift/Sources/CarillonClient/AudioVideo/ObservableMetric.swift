/// A figure of the connection. Rates are in bit/s, losses in per cent.
public enum ObservableMetric: Int, CaseNamed {
  case audioReceivePacketLossPercent = 0
  case audioSendPacketLossPercent = 1
  case videoAvailableSendBandwidth = 2
  case videoAvailableReceiveBandwidth = 3
  case videoSendBitrate = 4
  case videoSendPacketLossPercent = 5
  case videoSendFps = 6
  case videoSendRttMs = 7
  case videoReceiveBitrate = 8
  case videoReceivePacketLossPercent = 9
  case contentShareVideoSendBitrate = 10
  case contentShareVideoSendPacketLossPercent = 11
  case contentShareVideoSendFps = 12
  case contentShareVideoSendRttMs = 13

  /// Whether the figure is one of the content share.
  public var isContentShareMetric: Bool {
    description.hasPrefix("contentShare")
  }
}
