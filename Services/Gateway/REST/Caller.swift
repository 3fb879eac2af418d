import MeetingModel
import Storage

/// The sender of a request, with the rights of the sender.
struct Caller: Hashable, Sendable {
  let role: AccessRole

  /// The tenant whose meetings the caller may create, read and change; `nil` for the meetings of
  /// all tenants.
  let tenant: TenantID?

  /// The rights of the caller, if the caller is a visitor of the page and has no operator's key;
  /// `nil` if ``role`` determines the rights.
  var visit: VisitorRole?

  /// The meeting of the caller's verified host token; `nil` for callers with other credentials.
  var hostedMeeting: MeetingID?

  /// The sender of a request that needs no signature.
  static let anybody = Caller(role: .all, tenant: nil)

  /// Returns the caller for a visitor of the page.
  static func visitor(_ visit: VisitorRole) -> Caller {
    Caller(role: .all, tenant: nil, visit: visit)
  }

  /// Returns the caller who has a verified host token of the meeting.
  static func host(of meeting: MeetingID) -> Caller {
    Caller(role: .all, tenant: nil, hostedMeeting: meeting)
  }

  /// Checks that the caller may use an operation.
  ///
  /// - Throws: `ForbiddenException` if the visit, the role or the tenant does not permit the
  ///   operation.
  func checkMayUse(_ operation: RESTOperation) throws(RESTError) {
    let name = operation.name.labelValue
    guard (hostedMeeting != nil) == (operation.right == .host) else {
      let credential =
        hostedMeeting == nil
        ? "a host token of the meeting, sent as Authorization: Bearer TOKEN"
        : "an access key, which signs the request"
      throw RESTError(.forbidden, "\(name) needs \(credential).")
    }
    if hostedMeeting != nil { return }
    guard visit == nil || operation.right == .page else {
      throw RESTError(
        .forbidden,
        """
        \(name) needs an access key, or the key of the operator's page; the lobby's key does not \
        suffice.
        """)
    }
    guard operation.right.isGranted(to: role) else {
      throw RESTError(
        .forbidden,
        """
        The role \(role.rawValue) of this key does not permit \(name); use a key with another \
        role.
        """)
    }
    guard tenant == nil || !operation.right.isForAllTenants else {
      throw RESTError(.forbidden, "\(name) concerns all tenants. Use a key without a tenant.")
    }
  }

  /// Checks that the caller may use a meeting.
  ///
  /// - Throws: `ForbiddenException` for a meeting of other tenants.
  func checkMayUse(_ meeting: Meeting) throws(RESTError) {
    try checkMayUse(meetingOf: meeting.tenantIDs)
  }

  /// Checks that the caller may use a meeting of these tenants.
  ///
  /// - Throws: `ForbiddenException` for a meeting of other tenants.
  func checkMayUse(meetingOf tenants: [TenantID]) throws(RESTError) {
    guard let tenant, !tenants.contains(tenant) else { return }
    throw RESTError(
      .forbidden,
      "The meeting does not belong to this key's tenant; use a key of the meeting's tenant.")
  }
}
