import Foundation
import TestSupport
import Testing

@testable import CarillonClientMedia

struct WAVTests {
  private func file(_ samples: [Int16], channels: Int = 1, hertz: Int = 48_000) -> Data {
    var data = WAVFile.header(channels: channels, hertz: hertz, dataBytes: samples.count * 2)
    for sample in samples {
      data.append(UInt8(truncatingIfNeeded: sample))
      data.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return data
  }

  @Test func `a written WAV file can be read`() throws {
    let read = try WAVFile(file([1, -2, 300, -32_768], channels: 2, hertz: 16_000))
    #expect(read.samples == [1, -2, 300, -32_768])
    #expect(read.channels == 2 && read.hertz == 16_000)
  }

  @Test func `two channels are mixed into one`() {
    let file = WAVFile(samples: [10, 20, -4, -8], channels: 2, hertz: 48_000)
    #expect(file.monophonic == [15, -6])
  }

  @Test(arguments: [8000, 16_000, 22_050, 44_100, 96_000])
  func `a tone keeps its pitch at another sample rate`(hertz: Int) {
    let tone = (0..<hertz / 4).map { Int16(8000 * sin(2 * .pi * 500 * Double($0) / Double(hertz))) }
    let wanted = (0..<12_000).map { Int16(8000 * sin(2 * .pi * 500 * Double($0) / 48_000)) }
    let made = WAVFile(samples: tone, channels: 1, hertz: hertz).monophonic
    #expect(abs(made.count - wanted.count) <= 8)
    let middle = 2000..<10_000
    #expect(middle.allSatisfy { abs(Int(made[$0]) - Int(wanted[$0])) < 120 })
  }

  @Test func `a truncated WAV file and a file in another format are refused`() {
    let whole = file([1, 2, 3])
    for length in 0..<44 {
      #expect(throws: WAVError.malformed) { _ = try WAVFile(whole.prefix(length)) }
    }
    var float = whole
    float[20] = 3
    #expect(throws: WAVError.unsupported(format: 3, bits: 16, channels: 1, hertz: 48_000)) {
      _ = try WAVFile(float)
    }
    #expect((try? WAVFile(whole.dropLast(3)))?.samples == [1])
  }

  @Test func `a recorder writes a WAV file`() async throws {
    try await withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/heard.wav")
      let recorder = try WAVRecorder(to: url)
      let samples: [Int16] = [5, -6, 7, -8]
      recorder.write(samples.span, channels: 2)
      recorder.write(samples.span, channels: 2)
      recorder.close()
      let file = try WAVFile(contentsOf: url)
      #expect(file.samples == samples + samples)
      #expect(file.channels == 2)
    }
  }
}
