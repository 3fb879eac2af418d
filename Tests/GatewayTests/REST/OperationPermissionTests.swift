import MeetingModel
import Storage
import Testing

@testable import Gateway

/// Tests that only permitted callers can use each operation.
@Suite struct OperationPermissionTests {
  @Test(arguments: [
    (RequiredRight.none, [AccessRole.all, .createOnly, .readOnly]),
    (.key(.creates), [.all, .createOnly]),
    (.key(.reads), [.all, .readOnly]),
    (.key(.changes), [.all]),
    (.installationKey(.creates), [.all, .createOnly]),
    (.installationKey(.reads), [.all, .readOnly]),
    (.installationKey(.changes), [.all]),
    (.page, [.all]),
    (.host, []),
  ])
  func `each right that an operation requires is granted to exactly the listed roles`(
    right: RequiredRight, roles: [AccessRole]
  ) {
    #expect(AccessRole.allCases.filter(right.isGranted(to:)) == roles)
  }

  @Test func `a key of one tenant cannot use operations of the whole installation`() throws {
    let caller = Caller(role: .all, tenant: try TenantID("acme"))
    let refused = RESTOperation.table.filter {
      $0.right != .host && Self.error(of: caller, $0) != nil
    }
    #expect(
      Set(refused.map(\.name.labelValue)) == [
        "GetServices", "EraseUser", "ListWebhooks", "CreateWebhook", "GetWebhook", "SetWebhook",
        "DeleteWebhook", "ReplayWebhook",
      ])
    #expect(refused.allSatisfy { Self.error(of: caller, $0)?.name == .forbidden })
  }

  @Test func `a create-only key can only create meetings and attendees`() {
    let caller = Caller(role: .createOnly, tenant: nil)
    let allowed = RESTOperation.table.filter { !$0.isPublic && Self.error(of: caller, $0) == nil }
    #expect(
      Set(allowed.map(\.name.labelValue)) == [
        "CreateMeeting", "CreateMeetingWithAttendees", "CreateAttendee", "BatchCreateAttendee",
      ])
  }

  @Test func `a read-only key can only use GET operations`() {
    let caller = Caller(role: .readOnly, tenant: nil)
    for row in RESTOperation.table where !row.isPublic && row.right != .host {
      let isAllowed = Self.error(of: caller, row) == nil
      let isRead = row.method == .get && row.right != .page
      #expect(isAllowed == isRead, "\(row.name.labelValue)")
    }
  }

  @Test(arguments: [VisitorRole.guest, .host])
  func `a visitor of the web page can only use the page's operations`(visit: VisitorRole) {
    let allowed = RESTOperation.table.filter { Self.error(of: .visitor(visit), $0) == nil }
    #expect(
      Set(allowed.map(\.name.labelValue)) == [
        "JoinFromWeb", "KnockFromWeb", "FollowKnockFromWeb", "CaptionFromWeb",
        "GetCaptionRightFromWeb", "HostFromWeb",
      ])
  }

  @Test func `a host token grants exactly the operations that no key grants`() throws {
    let acts = RESTOperation.table.filter { $0.right == .host }
    let allowed = RESTOperation.table.filter { Self.error(of: .host(of: .random()), $0) == nil }
    #expect(allowed.map(\.name) == acts.map(\.name))
    for role in AccessRole.allCases {
      let caller = Caller(role: role, tenant: nil)
      #expect(acts.allSatisfy { Self.error(of: caller, $0)?.name == .forbidden })
    }
  }

  private static func error(of caller: Caller, _ operation: RESTOperation) -> RESTError? {
    do { try caller.checkMayUse(operation) } catch { return error }
    return nil
  }
}
