/// Whether an item is a word or a mark.
public enum TranscriptItemType: Int, CaseNamed {
  case unknown = 0
  case pronunciation = 1
  case punctuation = 2
}
