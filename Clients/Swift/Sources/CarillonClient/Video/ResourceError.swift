/// Something that ships with the library is missing.
public enum ResourceError: Int, Error, CaseNamed {
  case notFound
}
