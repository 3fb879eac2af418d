import Foundation
import TestSupport
import Trials
import Wire
import ZeroMQ

/// The results when `media`, `transcription` and `carillon-pocketsphinx`, with their default
/// settings, transcribe three simultaneous talkers.
struct TranscriptionBenchmarkResult {
  let heard: RecognizedSpeech

  /// The processor time from the start of each talker's second sentence until the last word was
  /// final, in seconds.
  let used: ResourcesUsed

  /// Media's processor time for the same duration without a transcription, in seconds.
  let mediaAlone: Double

  /// The speech that did not reach the engine, in milliseconds.
  let dropped: Int

  struct ResourcesUsed {
    var media = 0.0
    var transcription = 0.0
    var engine = 0.0

    static func - (left: ResourcesUsed, right: ResourcesUsed) -> ResourcesUsed {
      ResourcesUsed(
        media: left.media - right.media, transcription: left.transcription - right.transcription,
        engine: left.engine - right.engine)
    }
  }

  /// The number of packets that each talker sends before the transcription starts. These packets
  /// last ten seconds.
  private static let before = 500

  static func hold(_ recordings: [SpeechRecording]) async throws -> TranscriptionBenchmarkResult {
    try await MediaProcess.hold { media in
      let thread = SocketThread(name: "talkers")
      defer {
        thread.stop()
        thread.join()
      }
      let meeting = try SpeakingMeeting(on: thread)
      do {
        let attendees = try await meeting.begin(recordings, at: media)
        let result = try await withTranscription(in: media.directory) { base, processes in
          let transcript = try TranscriptBenchmarkMeeting(of: meeting.meeting, on: thread)
          do {
            let result = try await measure(
              meeting, recordings, of: attendees, transcript, at: base
            ) {
              ResourcesUsed(
                media: try media.used() / 1_000_000,
                transcription: try ProcessTime.microseconds(of: processes[0]) / 1_000_000,
                engine: try ProcessTime.microseconds(of: processes[1]) / 1_000_000)
            }
            await transcript.end()
            return result
          } catch {
            await transcript.end()
            throw error
          }
        }
        await meeting.end()
        return result
      } catch {
        await meeting.end()
        throw error
      }
    }
  }

  private static func measure(
    _ meeting: SpeakingMeeting, _ recordings: [SpeechRecording], of attendees: [String],
    _ transcript: TranscriptBenchmarkMeeting, at base: String, _ used: () throws -> ResourcesUsed
  ) async throws -> TranscriptionBenchmarkResult {
    let (start, startTicks) = (try used(), await meeting.ticks)
    await meeting.play(recordings.map { _ in 0..<before })
    let alone = (try used() - start).media / Double(await meeting.ticks - startTicks)

    try await transcript.begin(at: base)
    await meeting.play(recordings.map { 0..<$0.firstCount })
    let droppedFirst = try await transcript.settle()
    let first = transcript.events.entries
    guard attendees.allSatisfy({ !first.finals(by: $0).isEmpty }) else {
      throw BenchError.missing("Somebody's first sentence")
    }

    let (begin, beginTicks) = (try used(), await meeting.ticks)
    await meeting.play(recordings.map { $0.firstCount..<$0.packets.count })
    let dropped = try await transcript.settle()
    let end = try used() - begin
    let events = Array(transcript.events.entries.dropFirst(first.count))
    func texts(_ events: [V1.TranscriptEvent]) -> [String] {
      attendees.map { events.finals(by: $0).joined(separator: " ") }
    }
    return TranscriptionBenchmarkResult(
      heard: RecognizedSpeech(first: texts(first), later: texts(events)), used: end,
      mediaAlone: alone * Double(await meeting.ticks - beginTicks),
      dropped: droppedFirst + dropped)
  }

  /// Runs transcription and the engine together with media. All three use the directory of media.
  ///
  /// - Parameter body: Receives the common prefix of transcription's socket paths, and the process
  ///   ids.
  private static func withTranscription<Result>(
    in directory: String, _ body: (String, [Int]) async throws -> Result
  ) async throws -> Result {
    let binaries = ProcessInfo.processInfo.environment["CARILLON_BINARIES"] ?? "."
    func command(_ program: String, _ instance: String, _ flags: [String]) -> [String] {
      // The shell prints its process id, which exec keeps.
      ["sh", "-c", "echo $$; exec \"$@\"", "sh", "\(binaries)/\(program)", "--instance", instance]
        + ["--runtime-dir", "\(directory)/run", "--data-dir", "\(directory)/data"] + flags
    }
    // On a busy machine, words may be late, but all words must arrive.
    let patience = ["--max-backlog-seconds", "120"]
    say("transcription \(patience.joined(separator: " "))")
    let commands = [
      ("transcription-a", command("transcription", "transcription-a", patience)),
      ("pocketsphinx-a", command("carillon-pocketsphinx", "pocketsphinx-a", [])),
    ]
    return try await withPeers(commands, in: directory) { peers in
      do {
        for (peer, (name, _)) in zip(peers, commands) {
          _ = try await peer.line(0)
          let place = LocalHTTP.Place.unixSocket(path: "\(directory)/run/\(name).http.sock")
          try await eventually("\(name) to be ready", within: .seconds(20)) {
            (try? await LocalHTTP.ask("GET", "/readyz", at: place))?.status == 200
          }
        }
        return try await body(
          "\(directory)/run/transcription-a", try peers.map { try $0.processID })
      } catch {
        for peer in peers { say(peer.log) }
        throw error
      }
    }
  }
}
