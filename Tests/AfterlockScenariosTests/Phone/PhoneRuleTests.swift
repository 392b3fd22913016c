import AfterlockCore
import Testing

@testable import AfterlockScenarios

/// Where rules meet: the places that no one rule speaks of (P1–P13).
@Suite struct PhoneRuleTests {
  @Test func `The session has the category and mode that the app has chosen`() async {
    let bench = await PhoneBench {
      $0.category = .ambient
      $0.mode = .default
    }
    #expect(bench.phone.services.session.category == .ambient)
    #expect(bench.phone.services.session.mode == .default)
    let fix = await PhoneBench()
    #expect(fix.phone.services.session.category == .playback)
    #expect(fix.phone.services.session.mode == .moviePlayback)
  }

  @Test func `The session is active right before play and no sooner (P3)`() async {
    let bench = await PhoneBench()
    await bench.perform()
    #expect(!bench.phone.services.session.isActive)
    await bench.perform(.play)
    #expect(bench.phone.services.session.isActive)
  }

  @Test func `An interruption and the service's end deactivate the session (P13)`() async {
    for action in [ScenarioAction.call, .killServer] {
      let bench = await PhoneBench()
      await bench.perform(.play)
      await bench.perform(action)
      #expect(!bench.phone.services.session.isActive, "\(action.words)")
    }
  }

  @Test func `A dead player does nothing, and the new one has the place of the old (P13)`() async {
    let bench = await PhoneBench()
    await bench.perform(.play)
    await bench.perform(.killServer)
    let dead = await bench.perform(.pause, .play, .failItem, .endItem)
    #expect(dead.rate == 0 && dead.position == .seconds(1) && !dead.isAudible && dead.wantsToPlay)
    let alive = await bench.perform(.startServer)
    #expect(alive.rate == 1 && alive.position == .seconds(1) && alive.isAudible)
    await bench.perform(.killServer)
    await bench.perform(.stop)
    await bench.perform(.play, .seek(to: .seconds(30)))
    let again = await bench.perform(.startServer)
    #expect(again.rate == 1 && again.position == .seconds(30) && again.isAudible)
  }

  @Test func `Without the capability a call or a dead service keeps nobody running (P1)`() async {
    for action in [ScenarioAction.call, .killServer] {
      for leave in [ScenarioAction.press, .switchApp] {
        let bench = await PhoneBench { $0.backgroundModes = [] }
        await bench.perform(.play)
        await bench.perform(action)
        #expect(await bench.perform(leave).app == .suspended, "\(action.words), \(leave.words)")
      }
    }
  }

  @Test func `A headset that is pulled while the app is suspended holds when it is back (P1, P12)`() async {
    let bench = await PhoneBench { $0.backgroundModes = [] }
    await bench.perform(.play)
    await bench.perform(.switchApp)
    await bench.perform(.unplugRoute)
    let back = await bench.perform(.returnToApp)
    #expect(back.rate == 0 && !back.isAudible && back.suppression == ["sinkLost"] && back.wantsToPlay)
    #expect(await bench.perform(.play).isAudible)
  }

  @Test func `The end of a call that the app slept through is told when it is back (P1, P11)`() async {
    let bench = await PhoneBench { $0.backgroundModes = [] }
    await bench.perform(.play)
    await bench.perform(.call)
    await bench.perform(.press)
    await bench.perform(.endInterruption(shouldResume: true))
    #expect(await bench.perform(.unlock).isAudible)
  }

  @Test func `A layer that went away is gone, and none keeps it (F)`() async {
    let bench = await PhoneBench()
    weak let layer = bench.phone.layers.last
    #expect(layer?.isAttached == true)
    await bench.perform(.press)
    await bench.perform(.dropLayer)
    #expect(layer == nil)
    #expect(await bench.perform(.unlock).layers == .none)
  }

  @Test func `A call that lasts over a return to the app keeps the sound (P11)`() async {
    let bench = await PhoneBench()
    await bench.perform(.play)
    await bench.perform(.switchApp)
    await bench.perform(.call)
    let front = await bench.perform(.returnToApp)
    #expect(front.rate == 0 && front.app == .active && front.layers == .attached)
    #expect(await bench.perform(.endInterruption(shouldResume: nil)).isAudible)
  }

  @Test func `What cannot happen is said to, and changes nothing`() async {
    let bench = await PhoneBench()
    let before = await bench.perform()
    let first = bench.entryCount
    await bench.phone.perform(.unlock)
    await bench.phone.perform(.closeControlCenter)
    await bench.phone.perform(.plugRoute)
    await bench.phone.perform(.endInterruption(shouldResume: true))
    await bench.phone.perform(.startServer)
    await bench.phone.perform(.cork)
    #expect(await bench.phone.scene() == before)
    #expect(bench.texts([.platform], from: first).count == 6)
  }

  @Test func `Nothing reaches an app that was ended`() async {
    let bench = await PhoneBench()
    await bench.perform(.play)
    await bench.perform(.terminate)
    for action in [
      ScenarioAction.play, .remotePlay, .returnToApp, .press, .unlock, .switchApp, .call, .unplugRoute,
      .killServer, .addLayer, .terminate,
    ] {
      let scene = await bench.perform(action)
      #expect(scene.app == .ended && scene.rate == 0 && !scene.isAudible && scene.layers == .none)
    }
    #expect(bench.phone.outcome(of: await bench.phone.scene()) == .ended)
  }
}
