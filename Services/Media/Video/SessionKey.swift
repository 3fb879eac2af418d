/// A session of one meeting, by the small number that its owner gave it and gives to another later.
struct SessionKey: Hashable, Sendable {
  let index: Int

  init(_ index: Int) {
    precondition(index >= 0, "A session's number is not negative.")
    self.index = index
  }
}
