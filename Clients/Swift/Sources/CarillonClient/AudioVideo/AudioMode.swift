/// How audio is coded. Raw value 4 is obsolete and gives no case.
public enum AudioMode: Int, CaseIterable, CaseNamed {
  case mono16K = 1
  case mono48K = 2
  /// Stereo to the loudspeaker; the microphone stays mono.
  case stereo48K = 3
}
