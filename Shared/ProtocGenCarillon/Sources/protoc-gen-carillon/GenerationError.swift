/// The reason why the generator cannot write code for the contract.
enum GenerationError: Error, CustomStringConvertible {
  case mixedPackages(String, String)
  case unversionedPackage(String)
  case unsupported(String, what: String)
  case recursive([String])
  case foreignType(String, in: String)
  case nameClash(String, in: String)
  case keyClash(String, String)
  case keyZero(String)
  case noEnum(String)
  case noField(String)

  var description: String {
    switch self {
    case .mixedPackages(let one, let other):
      "Files that are generated as one are in one package; found \(one) and \(other)."
    case .unversionedPackage(let package):
      "A package of proto3 must end in a version, such as `carillon.v1`; found \(package)."
    case .unsupported(let name, let what):
      "\(name): \(what)"
    case .recursive(let path):
      "\(path.joined(separator: " → ")): a message may not contain itself; its depth must be "
        + "bounded, because protobuf-c unpacks by recursion."
    case .foreignType(let type, let field):
      "\(field): \(type) is not defined in the files that are generated together."
    case .nameClash(let name, let place):
      "\(place): two things would be called `\(name)` in Swift; rename one of them."
    case .keyClash(let one, let other):
      "\(one) and \(other) have the same method key; rename one of them."
    case .keyZero(let name):
      "\(name) has method key 0, which is reserved; rename it."
    case .noEnum(let name):
      "The table of twins names `\(name)`, which is no enum of the contract; correct `ModelEnums`."
    case .noField(let name):
      "The table of what is kept in place names `\(name)`, which is no field of the contract; "
        + "correct `InPlaceField`."
    }
  }
}
