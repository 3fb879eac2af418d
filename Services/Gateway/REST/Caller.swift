import MeetingModel
import Storage

/// Who sends a request, as far as that decides what the request may do.
struct Caller: Hashable, Sendable {
  let role: AccessRole

  /// The only tenant whose meetings the caller may make, see and change; `nil` for all meetings.
  let tenant: TenantID?

  /// What somebody may do who comes by the page and has no key of an operator's; `nil`: the role
  /// says it.
  var visit: PageVisit?

  /// Whoever sends requests that need no signature.
  static let anybody = Caller(role: .all, tenant: nil)

  /// Whoever comes by the page.
  static func visitor(_ visit: PageVisit) -> Caller {
    Caller(role: .all, tenant: nil, visit: visit)
  }

  /// - Throws: `ForbiddenException` for an operation that the visit, the role or the tenant rules
  ///   out.
  func checkMayUse(_ operation: RESTOperation) throws(RESTError) {
    let name = operation.name.labelValue
    guard visit == nil || operation.right == .page else {
      throw RESTError(.forbidden, "\(name) takes an operator's key.")
    }
    guard operation.right.isGranted(to: role) else {
      throw RESTError(.forbidden, "A \(role.rawValue) key may not be used for \(name).")
    }
    guard tenant == nil || !operation.right.isForAllTenants else {
      throw RESTError(.forbidden, "A key of one tenant may not use \(name).")
    }
  }

  /// - Throws: `ForbiddenException` for a meeting of other tenants.
  func checkMayUse(_ meeting: Meeting) throws(RESTError) {
    try checkMayUse(meetingOf: meeting.tenantIDs)
  }

  /// - Throws: `ForbiddenException` for a meeting of other tenants.
  func checkMayUse(meetingOf tenants: [TenantID]) throws(RESTError) {
    guard let tenant, !tenants.contains(tenant) else { return }
    throw RESTError(.forbidden, "The meeting does not belong to this key's tenant.")
  }
}
