/// Names an attachment to one instance of transcription, in one of its lives.
struct AttachmentID: Hashable, Sendable {
  let number: UInt64
}
