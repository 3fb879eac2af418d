import MeetingModel
import Wire
import ZeroMQ

extension V1.EngineItem {
  /// Encodes an item without its samples. ``EngineInput/raw`` contains the samples.
  init(_ item: EngineInput) {
    switch item {
    case .attached(let instance, let maxResultBytes, let reportInterval):
      self.init(
        item: .attached(
          V1.EngineAttached(
            instance: instance, maxResultBytes: UInt32(clamping: maxResultBytes),
            reportSeconds: UInt32(clamping: reportInterval.components.seconds))))
    case .streamStarted(let start):
      self.init(item: .streamStarted(V1.EngineStreamStarted(start)))
    case .audio(let audio):
      self.init(
        item: .audio(
          V1.EngineAudio(
            streamID: audio.stream.text, firstSample: audio.firstSample,
            samples: UInt32(clamping: audio.samples.count),
            isEndOfUtterance: audio.isEndOfUtterance)))
    case .streamEnded(let stream, let isDiscarded):
      self.init(
        item: .streamEnded(
          V1.EngineStreamEnded(streamID: stream.text, isDiscarded: isDiscarded)))
    }
  }
}

extension EngineInput {
  /// The frames to send after the encoded item.
  var raw: [MessageFrame] {
    guard case .audio(let audio) = self, !audio.samples.isEmpty else { return [] }
    return [MessageFrame(pcm: audio.samples)]
  }
}

extension V1.EngineStreamStarted {
  fileprivate init(_ start: EngineStreamStart) {
    let configuration = start.configuration.wire
    self.init(
      streamID: start.stream.text, languageCode: start.language?.text ?? "",
      languageOptions: start.languageOptions.map(\.text), phrases: configuration.phrases,
      vocabularyNames: configuration.vocabularyNames,
      languageModelName: configuration.languageModelName, wantsPartials: start.wantsPartials,
      translateTo: start.translations.map(\.text),
      contentIdentification: start.content.map { .init($0) } ?? .unspecified,
      piiEntityTypes: configuration.piiEntityTypes, medical: configuration.medical)
  }
}
