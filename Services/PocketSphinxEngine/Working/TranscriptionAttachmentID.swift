/// The id of one attachment to an instance of `transcription`. Each new attempt to attach has a new
/// id.
struct TranscriptionAttachmentID: Hashable, Sendable {
  let number: UInt64
}
