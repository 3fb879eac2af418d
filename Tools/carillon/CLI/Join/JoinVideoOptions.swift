internal import ArgumentParser

/// The options of `carillon join` that send, show and record video.
struct JoinVideoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Send a camera: a moving test pattern, or the pictures of a YUV4MPEG2 file (.y4m), which the \
      command repeats.
      """, valueName: "source"), completion: .file(extensions: ["y4m"]))
  var camera: String?
  @Flag(
    help: """
      Receive the videos, and print once a second what each video shows: its size, its number of \
      pictures, the number in a test pattern, and the colour in the middle.
      """)
  var view = false
  @Option(
    name: .customLong("record-h264"),
    help: ArgumentHelp(
      """
      Receive the videos, and record each H.264 video in a file in this directory, without \
      decoding the video.
      """, valueName: "directory"), completion: .directory)
  var recordH264: String?

  /// Whether the session needs video.
  var isUsed: Bool { camera != nil || isReceiving }

  /// Whether the session receives video.
  var isReceiving: Bool { view || recordH264 != nil }
}
