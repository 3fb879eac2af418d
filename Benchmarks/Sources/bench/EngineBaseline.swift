import Foundation
import Glibc

/// The results of the engine alone on clean recordings, from `carillon-pocketsphinx recognize`.
struct EngineBaseline {
  let heard: RecognizedSpeech

  /// The errors of runs in which a new process transcribes each sentence. So each sentence is the
  /// first sentence that its decoder receives.
  let eachFirst: WordErrors

  /// The engine's processor time per second of speech, in seconds, excluding the loading of the
  /// model.
  let used: Double

  /// Transcribes each recording in its own process, because each talker in a meeting has a separate
  /// decoder.
  static func hear(_ recordings: [SpeechRecording], in directory: String) throws -> EngineBaseline {
    // With a file that contains almost no sound, the benchmark measures only the loading of the
    // model.
    let silence = "\(directory)/silence.wav"
    try Data(SpeechRecording.wave([Int16](repeating: 0, count: 1_600)))
      .write(to: URL(filePath: silence))
    let loading = try run([silence]).used
    var lines: [[String]] = []
    var pairs: [(heard: String, said: String)] = []
    var used = 0.0
    for (recording, spoken) in zip(recordings, SpokenSentences.all) {
      let heard = try run(recording.files)
      guard heard.lines.count == recording.files.count else {
        throw BenchError.unreadable("recognize", answer: "\(heard.lines)")
      }
      lines.append(heard.lines)
      used += heard.used - loading
      for (file, sentence) in zip(recording.files, spoken.sentences) {
        pairs.append((try run([file]).lines.joined(), sentence))
      }
    }
    return EngineBaseline(
      heard: RecognizedSpeech(
        first: lines.map { $0.first ?? "" },
        later: lines.map { $0.dropFirst().joined(separator: " ") }),
      eachFirst: .sum(pairs),
      used: used / recordings.map(\.secondsWithFirst).reduce(0, +))
  }

  private static func run(_ files: [String]) throws -> (lines: [String], used: Double) {
    let binaries = ProcessInfo.processInfo.environment["CARILLON_BINARIES"] ?? "."
    let before = usedByChildren
    let process = Process()
    process.executableURL = URL(filePath: "\(binaries)/carillon-pocketsphinx")
    process.arguments = ["recognize"] + files
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchError.ended("recognize") }
    // The output has one line for each file. The line is empty if the engine recognized nothing.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return (lines.map(String.init), usedByChildren - before)
  }

  /// The processor time of all ended children, in seconds (getrusage(2)). No other child ends
  /// during the measurement.
  private static var usedByChildren: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    func seconds(_ time: timeval) -> Double {
      Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
