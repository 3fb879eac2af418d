internal import CPostgreSQL

/// The address of a PostgreSQL server and the user who connects, as a connection URI of libpq
/// (PostgreSQL 15, section 34.1.1):
/// `postgresql://[user[:password]@][host][:port][,…][/database][?parameter=value&…]`.
///
/// `?host=/run/postgresql` names the directory of a Unix socket. With several hosts and
/// `target_session_attrs=read-write`, new connections follow a failover. libpq also reads the
/// password from `PGPASSWORD` or `PGPASSFILE`.
public struct PostgresAddress: Hashable, Sendable {
  /// The whole URI, including the password.
  let uri: String

  /// The servers in the order of the URI. The parameters of a server override the parameters of the
  /// URI. If the URI names at most one host, there is one server without parameters.
  let servers: [[Parameter]]

  /// A parameter of a connection (section 34.1.2).
  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// Parses a connection URI.
  ///
  /// - Throws: ``PostgresError`` of kind ``PostgresError/Kind/address`` if the URI is malformed.
  public init(_ text: String) throws(PostgresError) {
    guard Self.schemes.contains(where: { text.hasPrefix($0) }) else {
      throw PostgresError(.address, "The address of PostgreSQL must begin with postgresql://.")
    }
    // libpq would read the text only up to the NUL.
    guard !text.utf8.contains(0) else {
      throw PostgresError(
        .address, "The address of PostgreSQL must not contain the character U+0000.")
    }
    var problem: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &problem)
    defer {
      unsafe PQconninfoFree(options)
      unsafe PQfreemem(problem)
    }
    guard unsafe options != nil else {
      // libpq's error text may contain a part of the password, so this code does not use the text.
      throw PostgresError(
        .address, "The address of PostgreSQL is malformed; write postgresql://USER@HOST/NAME.")
    }
    uri = text
    servers = unsafe Self.servers(in: options)
  }

  /// Returns `host` and `port` of each server. A single port applies to all servers.
  private static func servers(
    in options: UnsafeMutablePointer<PQconninfoOption>?
  ) -> [[Parameter]] {
    func values(_ name: String) -> [String] {
      var next = unsafe options
      while let option = unsafe next, let keyword = unsafe option.pointee.keyword {
        if unsafe String(cString: keyword) == name {
          let value = unsafe option.pointee.val.map { unsafe String(cString: $0) } ?? ""
          return value.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        }
        unsafe next = option.advanced(by: 1)
      }
      return []
    }
    let (hosts, ports) = (values("host"), values("port"))
    guard hosts.count > 1 else { return [[]] }
    return hosts.enumerated().map { place, host in
      let port = ports.count == hosts.count ? ports[place] : ports.first ?? ""
      // An empty value would not replace the URI's list of ports, so this code sets the default
      // port.
      return [
        Parameter(name: "host", value: host),
        Parameter(name: "port", value: port.isEmpty ? "5432" : port),
      ]
    }
  }

  private static let schemes = ["postgresql://", "postgres://"]
}

extension PostgresAddress: CustomStringConvertible {
  /// The address without its user, password and parameters.
  public var description: String {
    let rest = uri.drop(while: { $0 != "/" }).dropFirst(2)
    let place = rest.prefix(while: { $0 != "?" })
    let named = place.split(separator: "@", omittingEmptySubsequences: false).last ?? place
    return "postgresql://\(named)"
  }
}
