internal import Glibc

/// The process that has an ``EndpointLock``, as recorded in the lock file.
///
/// A process id is valid only in its own PID namespace. For example, the service is process 1 in
/// each container. So the file contains the namespace and the id (pid_namespaces(7)).
struct EndpointLockOwner: Hashable {
  private let processID: Int32

  /// The namespace, for example `pid:[4026531836]`; empty if unknown.
  let namespace: String

  /// The maximum number of bytes of ``text``.
  static let maximumBytes = 16 + ProcessNamespace.maximumBytes

  /// This process.
  static let own = EndpointLockOwner(processID: getpid(), namespace: ProcessNamespace.own)

  private init(processID: Int32, namespace: String) {
    (self.processID, self.namespace) = (processID, namespace)
  }

  /// Parses the owner of a lock.
  ///
  /// - Parameter text: A text in the form of ``text``, or only a process id. Earlier releases wrote
  ///   only the process id.
  /// - Returns: `nil` for any other text.
  init?(_ text: String) {
    let words = text.prefix { $0 != "\n" }.split(separator: " ")
    guard let first = words.first, let processID = Int32(first), processID > 0 else { return nil }
    self.init(processID: processID, namespace: words.count > 1 ? String(words[1]) : "")
  }

  /// The line in the lock file.
  var text: String { "\(processID) \(namespace)\n" }

  /// Returns the process id if the id belongs to the given namespace; otherwise `nil`.
  func processID(in reader: String) -> Int32? {
    namespace.isEmpty || namespace != reader ? nil : processID
  }
}
