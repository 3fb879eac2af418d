import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of replicas: the events and media from the primary, and the promotion of a replica's
  /// attendees.
  struct ReplicaTests {
    private func withAudience(
      _ options: Installation.Options = .init(), _ body: (Audience) async throws -> Void
    ) async throws {
      try await Installation.run(options) { installation in
        try await body(try await Audience.make(2, in: installation))
      }
    }

    @Test func `clients of a replica see the primary, and no other meeting sees these clients`()
      async throws
    {
      try await withAudience { audience in
        try await audience.withClients("ada", "rob@0", "rita@0", "sam@1") { clients in
          let ada = try #require(clients["ada"])
          let watchers = try ["rob", "rita", "sam"].map { try #require(clients[$0]) }
          for watcher in watchers {
            try await watcher.sees(exactly: ["ada"])
            #expect(watcher.started.primaryMeetingID == audience.primary.meetingID)
          }
          try await audience.withClients("grace") { _ in
            for watcher in watchers { try await watcher.sees(exactly: ["ada", "grace"]) }
            try await ada.sees(exactly: ["ada", "grace"])
          }
          // An attendee closed its connection without leaving, so presence drops the attendee.
          for watcher in watchers { try await watcher.sees(exactly: ["ada"]) }

          #expect(try await ada.client.setMuted(true).status == nil)
          for watcher in watchers {
            _ = try await watcher.client.answer("ada's mute") { answer in
              answer.events.contains {
                if case .muteChanged(let change) = $0.event {
                  change.changes.contains { $0.attendeeID == ada.record.attendeeID && $0.isMuted }
                } else {
                  false
                }
              }
            }
          }
          // The server refuses messages of the audience.
          try await watchers[0].isRefusedAMessage()
          try await ada.client.sayAndWait("chat", "hello")
          for watcher in watchers { try await watcher.client.hears(exactly: ["hello"]) }
          #expect(ada.client.texts.isEmpty)
          #expect(ada.roster == ["ada"])
        }
      }
    }

    @Test func `a promoted attendee acts in the primary until it requests a demotion`()
      async throws
    {
      try await withAudience { audience in
        let paul = try await audience.installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("ada", "rob@0", "rita@0", "sam@1") { clients in
          let rob = try #require(clients["rob"])
          let others = try ["ada", "rita", "sam"].map { try #require(clients[$0]) }
          let answer = try await rob.promote(as: paul)
          #expect(answer.status == nil)
          let reply = try V1.PromoteToPrimaryMeetingReply(packed: answer.body)
          #expect(reply.attendee?.attendeeID == paul.attendeeID)
          #expect(reply.camera?.isAvailable == true)
          for client in others + [rob] { try await client.sees(exactly: ["ada", "paul"]) }

          // A repeated request gets the answer of the first request, and no other client notices
          // the repetition.
          #expect(try await rob.promote(as: paul).status == nil)
          #expect(try await rob.client.setMuted(true).status == nil)
          _ = try await others[0].client.answer("paul's mute") { answer in
            answer.events.contains {
              if case .muteChanged(let change) = $0.event {
                change.changes.contains { $0.attendeeID == paul.attendeeID && $0.isMuted }
              } else {
                false
              }
            }
          }
          try await rob.client.sayAndWait("chat", "a question")
          for client in others { try await client.client.hears(exactly: ["a question"]) }
          #expect(others.map(\.senders) == [["paul"], ["paul"], ["paul"]])
          #expect(rob.client.texts.isEmpty)

          #expect(try await rob.demote())
          #expect(try await !rob.demote())
          for client in others + [rob] { try await client.sees(exactly: ["ada"]) }
          #expect(rob.demotions.isEmpty)

          // The same credentials are valid again.
          #expect(try await rob.promote(as: paul).status == nil)
          for client in others + [rob] { try await client.sees(exactly: ["ada", "paul"]) }
        }
      }
    }

    @Test func `deleting a promoted attendee demotes the client and reports the demotion once`()
      async throws
    {
      try await withAudience { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        let mary = try await installation.createAttendee("mary", in: audience.primary)
        try await audience.withClients("ada", "rob@0") { clients in
          let (ada, rob) = (try #require(clients["ada"]), try #require(clients["rob"]))
          #expect(try await rob.promote(as: paul).status == nil)
          try await ada.sees(exactly: ["ada", "paul"])
          try await installation.deleteAttendee(paul)
          let demotion = try #require(try await rob.isDemoted())
          #expect(demotion.attendee?.attendeeID == paul.attendeeID)
          #expect(
            demotion.status.flatMap { MeetingModel.Status($0) }?.sessionStatus
              == .audioAuthenticationRejected)
          try await ada.sees(exactly: ["ada"])
          #expect(
            try await rob.promote(as: paul).status?.sessionStatus == .audioAuthenticationRejected)

          // The client remains in the replica, and an application can promote the client as another
          // attendee.
          #expect(try await rob.promote(as: mary).status == nil)
          try await rob.sees(exactly: ["ada", "mary"])
          #expect(rob.demotions.count == 1)
        }
      }
    }

    @Test func `an operator demotes a client through any gateway, and the client gets one event`()
      async throws
    {
      try await withAudience(.init(gateways: ["gateway-a", "gateway-b"])) { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("ada", "rob@0", "sam@1") { clients in
          let ada = try #require(clients["ada"])
          let (rob, sam) = (try #require(clients["rob"]), try #require(clients["sam"]))
          #expect(try await !installation.demote(paul, by: 1))
          #expect(try await !installation.demote(ada.record, by: 1))
          #expect(try await rob.promote(as: paul).status == nil)
          try await ada.sees(exactly: ["ada", "paul"])

          #expect(try await installation.demote(paul, by: 1))
          let demotion = try #require(try await rob.isDemoted())
          let status = demotion.status.flatMap { MeetingModel.Status($0) }
          #expect(demotion.attendee?.attendeeID == paul.attendeeID)
          #expect(status?.sessionStatus == .audioInternalServerError)
          #expect(status?.reason == .demotedByOperator)
          for client in [ada, rob, sam] { try await client.sees(exactly: ["ada"]) }
          #expect(try await !installation.demote(paul))
          #expect(try await !rob.demote())
          try await rob.isRefusedAMessage()
          try await ada.client.sayAndWait("chat", "thank you")
          try await rob.client.hears(exactly: ["thank you"])

          // The next promotion as this attendee is independent of the first promotion.
          #expect(try await sam.promote(as: paul).status == nil)
          try await ada.sees(exactly: ["ada", "paul"])
          #expect(try await installation.demote(paul))
          _ = try await sam.isDemoted()
          #expect(try await rob.promote(as: paul).status == nil)
          for client in [ada, rob, sam] { try await client.sees(exactly: ["ada", "paul"]) }
          #expect(rob.demotions.count == 1)
          #expect(sam.demotions.count == 1)
          #expect(ada.demotions.isEmpty)
        }
      }
    }

    @Test func `a lost connection demotes the client even if the session is resumed`() async throws
    {
      try await withAudience { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("ada") { clients in
          let ada = try #require(clients["ada"])
          let record = try await installation.createAttendee("rob", in: audience.replicas[0])
          var session: [UInt8] = []
          try await withRawClient(installation) { client in
            let started = try await client.start(record)
            session = started.sessionID
            let rob = Watcher(client: client, record: record, started: started)
            #expect(try await rob.promote(as: paul).status == nil)
            try await ada.sees(exactly: ["ada", "paul"])
          }
          try await withRawClient(installation) { client in
            let started = try await client.start(record, resuming: (session, []))
            let rob = Watcher(client: client, record: record, started: started)
            try await ada.sees(exactly: ["ada"])
            try await rob.sees(exactly: ["ada"])
            try await rob.isRefusedAMessage()
            #expect(try await rob.promote(as: paul).status == nil)
            try await ada.sees(exactly: ["ada", "paul"])
          }
        }
      }
    }

    @Test func `a refused promotion reports its reason as a status`() async throws {
      try await withAudience { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        let rita = try await installation.createAttendee("rita", in: audience.replicas[0])
        try await audience.withClients("ada", "rob@0") { clients in
          let (ada, rob) = (try #require(clients["ada"]), try #require(clients["rob"]))
          var wrong = paul
          wrong.joinToken = rita.joinToken
          var renamed = paul
          renamed.externalUserID = "somebody else"
          var odd = paul
          odd.attendeeID += "#content"
          for attendee in [wrong, rita, renamed, odd] {
            #expect(
              try await rob.promote(as: attendee).status?.sessionStatus
                == .audioAuthenticationRejected)
          }
          #expect(
            try await ada.promote(as: paul).status?.sessionStatus == .audioAuthenticationRejected)
          #expect(ada.roster == ["ada"])
          #expect(try await !rob.demote())
        }
      }
    }

    @Test func `a full primary accepts no promotion until an attendee leaves`() async throws {
      try await withAudience(.init(presenceFlags: ["--max-attendees", "2"])) { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("ada", "rob@0", "sam@1") { clients in
          let ada = try #require(clients["ada"])
          let (rob, sam) = (try #require(clients["rob"]), try #require(clients["sam"]))
          try await audience.withClients("grace") { _ in
            try await ada.sees(exactly: ["ada", "grace"])
            for watcher in [rob, sam] {
              let refused = try await watcher.promote(as: paul).status
              #expect(refused?.code == .resourceExhausted)
              #expect(refused?.sessionStatus == .audioCallAtCapacity)
              #expect(refused?.reason == .meetingFull)
            }
            // The refused promotions changed neither the roster in presence nor the client's
            // rights.
            #expect(
              try await installation.roster(of: audience.primary).entries
                .compactMap(\.attendee?.externalUserID) == ["ada", "grace"])
            #expect(try await !installation.demote(paul))
            #expect(try await !rob.demote())
            try await rob.isRefusedAMessage()
            try await ada.client.sayAndWait("chat", "no room")
            for watcher in [rob, sam] { try await watcher.client.hears(exactly: ["no room"]) }
            #expect(ada.roster == ["ada", "grace"])
          }
          try await ada.sees(exactly: ["ada"])

          #expect(try await rob.promote(as: paul).status == nil)
          for client in [ada, rob, sam] { try await client.sees(exactly: ["ada", "paul"]) }
          let mary = try await installation.createAttendee("mary", in: audience.primary)
          #expect(try await sam.promote(as: mary).status?.sessionStatus == .audioCallAtCapacity)
          // A demotion frees a seat for the next promotion.
          #expect(try await rob.demote())
          #expect(try await sam.promote(as: mary).status == nil)
          for client in [ada, rob, sam] { try await client.sees(exactly: ["ada", "mary"]) }
          #expect(rob.demotions.isEmpty)
          #expect(sam.demotions.isEmpty)
        }
      }
    }

    @Test func `a promoted attendee stays promoted when presence restarts`() async throws {
      try await withAudience { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        let mary = try await installation.createAttendee("mary", in: audience.primary)
        try await audience.withClients("ada", "rob@0", "sam@1") { clients in
          let ada = try #require(clients["ada"])
          let (rob, sam) = (try #require(clients["rob"]), try #require(clients["sam"]))
          #expect(try await rob.promote(as: paul).status == nil)
          try await installation.presence.kill()
          // While presence restarts, the gateway delays a promotion instead of refusing it.
          async let promotion = sam.promote(as: mary)
          try await installation.presence.start()
          try await installation.becomeReady()
          #expect(try await promotion.status == nil)
          for client in [ada, rob, sam] {
            try await client.sees(exactly: ["ada", "paul", "mary"])
          }
          #expect(rob.demotions.isEmpty)
          #expect(try await rob.demote())
          #expect(try await sam.demote())
          for client in [ada, rob, sam] { try await client.sees(exactly: ["ada"]) }
        }
      }
    }

    @Test func `the end of the primary ends its replicas, even those with promoted clients`()
      async throws
    {
      try await withAudience { audience in
        let paul = try await audience.installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("rob@0", "sam@1") { clients in
          let (rob, sam) = (try #require(clients["rob"]), try #require(clients["sam"]))
          #expect(try await rob.promote(as: paul).status == nil)
          try await audience.installation.deleteMeeting(audience.primary)
          #expect(try await rob.client.ending()?.sessionStatus == .audioServerHungup)
          #expect(try await sam.client.ending()?.sessionStatus == .audioServerHungup)
          #expect(rob.demotions.count <= 1)
          #expect(sam.demotions.isEmpty)
        }
      }
    }

    @Test func `a replica's audience stops hearing the primary when the replica is deleted`()
      async throws
    {
      try await withAudience { audience in
        let installation = audience.installation
        try await audience.withClients("ada", "rob@0") { clients in
          let (ada, rob) = (try #require(clients["ada"]), try #require(clients["rob"]))
          try await rob.client.withVoice(in: installation.context) { listener in
            try await ada.client.withVoice(in: installation.context) { voice in
              try await eventually("ada to be heard") {
                try await voice.say(5)
                return listener.peaks.entries.contains { $0 > 0.05 }
              }
              try await installation.deleteMeeting(audience.replicas[0])
              #expect(try await rob.client.ending()?.sessionStatus == .audioServerHungup)
              // Media stops sending the mix to this client, even if the client keeps its
              // connection.
              try await eventually("nothing more to come") {
                let count = listener.peaks.entries.count
                try await voice.say(25)
                try await Task.sleep(for: .milliseconds(700))
                return listener.peaks.entries.count == count
              }
              #expect(ada.roster == ["ada"])
            }
          }
        }
      }
    }

    @Test func `a promoted voice is heard in the primary until the demotion`() async throws {
      try await withAudience { audience in
        let installation = audience.installation
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("ada", "rob@0") { clients in
          let (ada, rob) = (try #require(clients["ada"]), try #require(clients["rob"]))
          try await ada.client.withVoice(in: installation.context) { listener in
            try await rob.client.withVoice(in: installation.context) { voice in
              // Media does not mix a watcher's audio, so media sends no mix at all.
              try await voice.say(25)
              #expect(try await rob.promote(as: paul).status == nil)
              #expect(listener.peaks.entries.allSatisfy { $0 < 0.05 })
              try await eventually("paul to be heard") {
                try await voice.say(5)
                return listener.peaks.entries.contains { $0 > 0.05 }
              }
              #expect(try await rob.demote())
              let before = try await installation.mediaMetrics()
              try await voice.say(25)
              try await eventually("all to be refused") {
                let now = try await installation.mediaMetrics()
                let (name, labels) = ("carillon_media_dropped_packets_total", ["reason": "rights"])
                return now.sum(name, labels) >= before.sum(name, labels) + 25
              }
            }
          }
        }
      }
    }

    /// Clients determine the active speaker from the volumes that they receive.
    @Test
    func `a replica gets the volumes and signals of the primary's attendees, promoted or not`()
      async throws
    {
      try await Installation.run { installation in
        let audience = try await Audience.make(2, in: installation)
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        try await audience.withClients("ada", "rob@0", "sam@1") { clients in
          let (ada, rob) = (try #require(clients["ada"]), try #require(clients["rob"]))
          let sam = try #require(clients["sam"])
          try await rob.client.withVoice(in: installation.context) { voice in
            try await ada.client.withVoice(in: installation.context) { speaker in
              // All clients receive ada's volume. No client receives the volume of rob, who speaks
              // as well.
              try await eventually("all to be told how loud ada is") {
                try await voice.say(5)
                try await speaker.say(5)
                return [ada, rob, sam].allSatisfy { $0.levels.loud.contains(ada.record.attendeeID) }
              }
              let known = Set([ada.record.attendeeID])
              for watcher in [ada, rob, sam] {
                #expect(watcher.levels.told.isSubset(of: known), "\(watcher.levels)")
              }
              #expect(try await rob.promote(as: paul).status == nil)
              try await eventually("all to be told how loud paul is") {
                try await voice.say(5)
                return [ada, rob, sam].allSatisfy { $0.levels.loud.contains(paul.attendeeID) }
              }
              try await eventually("all to be told of both signals", within: .seconds(30)) {
                try await voice.say(5)
                try await speaker.say(5)
                let both = [ada.record.attendeeID, paul.attendeeID]
                return [ada, rob, sam].allSatisfy { $0.levels.signals.isSuperset(of: both) }
              }
              #expect(try await rob.demote())
              for watcher in [ada, sam] { try await watcher.sees(exactly: ["ada"]) }
            }
          }
          let ids = Set([ada.record.attendeeID, paul.attendeeID])
          for watcher in [ada, rob, sam] { #expect(watcher.levels.told.isSubset(of: ids)) }
        }
      }
    }
  }
}
