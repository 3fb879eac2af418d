internal import CPostgreSQL

/// Where a PostgreSQL server is and who asks, as a connection URI of libpq (PostgreSQL 15, section
/// 34.1.1): `postgresql://[user[:password]@][host][:port][,…][/database][?parameter=value&…]`.
///
/// A Unix socket's directory is named by `?host=/run/postgresql`; several hosts with
/// `target_session_attrs=read-write` follow a failover. The password may come from `PGPASSWORD` or
/// `PGPASSFILE` instead.
public struct PostgresAddress: Hashable, Sendable {
  /// The whole URI, password and all.
  let uri: String

  /// The servers that it names, in its order: each as parameters that count more than the URI's.
  /// One without parameters if it names none.
  let servers: [[Parameter]]

  /// A parameter of a connection (section 34.1.2).
  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// - Throws: ``PostgresError`` of kind ``PostgresError/Kind/address``.
  public init(_ text: String) throws(PostgresError) {
    guard Self.schemes.contains(where: { text.hasPrefix($0) }) else {
      throw PostgresError(.address, "An address of PostgreSQL begins with postgresql://.")
    }
    // libpq would read up to there.
    guard !text.utf8.contains(0) else {
      throw PostgresError(.address, "An address of PostgreSQL has no character U+0000.")
    }
    var problem: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &problem)
    defer {
      unsafe PQconninfoFree(options)
      unsafe PQfreemem(problem)
    }
    guard unsafe options != nil else {
      // What libpq says may hold a part of the password.
      throw PostgresError(
        .address, "The address is none that PostgreSQL understands: postgresql://USER@HOST/NAME.")
    }
    uri = text
    servers = unsafe Self.servers(in: options)
  }

  /// `host` and `port` of each server; a single port is that of all.
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
      // An empty value would leave the URI's list of ports in force.
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
