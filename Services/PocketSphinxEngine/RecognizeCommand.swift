internal import ArgumentParser
internal import Foundation
internal import MeetingModel

/// Recognizes speech in recordings, without a meeting.
///
/// `carillon-pocketsphinx recognize FILE…` prints one line of words for each file.
struct RecognizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carillon-pocketsphinx recognize",
    abstract: "Prints what the model hears in recordings, a line for each file.")

  @Argument(
    help: "WAV files: 16-bit PCM, one channel, 16 kHz. Each is an utterance of one talker.",
    completion: .file(extensions: ["wav"]))
  var files: [String]

  @Option(help: "Directory of the model, with the layout of Debian's pocketsphinx-en-us.")
  var model = SpeechModel.debian

  func run() throws {
    do {
      let decoder = try PocketSphinxDecoder(SpeechModel(directory: model))
      for file in files {
        try decoder.hear(Self.samples(of: file))
        print(try decoder.finish().map(\.text).joined(separator: " "))
      }
    } catch let error as PocketSphinxError {
      throw ValidationError(error.status.message)
    }
  }

  /// Reads the samples of a WAV file in the only format that the model accepts.
  private static func samples(of path: String) throws -> [Int16] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    guard bytes.count >= 44, bytes[0..<4].elementsEqual("RIFF".utf8), number(20, 2) == 1,
      number(22, 2) == 1, number(24, 4) == 16_000, number(34, 2) == 16
    else {
      throw ValidationError(
        "\(path) is not a WAV file with 16-bit PCM, one channel and 16 kHz; convert it first.")
    }
    var offset = 12
    while offset + 8 <= bytes.count, !bytes[offset..<offset + 4].elementsEqual("data".utf8) {
      offset += 8 + number(offset + 4, 4)
    }
    return stride(from: min(offset + 8, bytes.count), to: bytes.count - 1, by: 2).map {
      Int16(truncatingIfNeeded: number($0, 2))
    }
  }
}
