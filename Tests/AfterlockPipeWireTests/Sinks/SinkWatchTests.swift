import AfterlockCore
import AfterlockRealtime
import Testing

@testable import AfterlockPipeWire

@Suite struct SinkWatchTests {
  @Test func `It prefers the pinned sink, then the default, then the oldest`() {
    var watch = SinkWatch(target: nil)
    #expect(watch.add(id: 5, name: "five") == [.routeRestored(sink: "five")])
    #expect(watch.add(id: 3, name: "three") == [.sinkChanged("three")])
    #expect(watch.add(id: 7, name: "seven") == [])
    #expect(watch.setDefault(json: #"{ "name": "five" }"#) == [.sinkChanged("five")])
    #expect(watch.setDefault(json: #"{ "name": "five" }"#) == [])
    #expect(watch.current == "five")
    #expect(watch.remove(id: 7) == [])
    #expect(watch.remove(id: 5) == [.sinkChanged("three")])
    #expect(watch.remove(id: 3) == [.routeLost(sink: "three")])
    var pinned = SinkWatch(target: "three")
    #expect(pinned.add(id: 5, name: "five") == [])
    #expect(pinned.add(id: 3, name: "three") == [.routeRestored(sink: "three")])
    #expect(pinned.setDefault(json: #"{ "name": "five" }"#) == [])
    #expect(pinned.remove(id: 3) == [.routeLost(sink: "three")])
  }

  @Test func `A sink that a stream is linked to is the one that plays, whichever is the default`() {
    var watch = SinkWatch(target: nil)
    #expect(watch.add(id: 3, name: "three") == [.routeRestored(sink: "three")])
    #expect(watch.add(id: 5, name: "five") == [])
    #expect(watch.setDefault(json: #"{ "name": "three" }"#) == [])
    // Somebody else's stream, and then ours.
    #expect(watch.addLink(id: 20, from: 10, to: 5) == [])
    #expect(watch.addLink(id: 21, from: 11, to: 5) == [])
    #expect(watch.setStreams([11]) == [.sinkChanged("five")])
    // A second link to the default is no news of another sink than that one.
    #expect(watch.addLink(id: 22, from: 11, to: 3) == [.sinkChanged("three")])
    #expect(watch.remove(id: 22) == [.sinkChanged("five")])
    #expect(watch.remove(id: 21) == [.sinkChanged("three")])
    #expect(watch.addLink(id: 21, from: 11, to: 99) == [])
    var pinned = SinkWatch(target: "three")
    #expect(pinned.add(id: 3, name: "three") == [.routeRestored(sink: "three")])
    #expect(pinned.add(id: 5, name: "five") == [])
    #expect(pinned.setStreams([11]) == [])
    #expect(pinned.addLink(id: 21, from: 11, to: 5) == [])
  }

  /// A sink that our stream, node 11, is linked to with two links, beside another that is the default or not.
  private func playing(defaultIsPlayed: Bool) -> SinkWatch {
    var watch = SinkWatch(target: nil)
    _ = watch.setStreams([11])
    _ = watch.add(id: 3, name: "left")
    _ = watch.add(id: 5, name: "speakers")
    _ = watch.setDefault(json: defaultIsPlayed ? #"{"name":"left"}"# : #"{"name":"speakers"}"#)
    for link in [21, 22] as [UInt32] { _ = watch.addLink(id: link, from: 11, to: 3) }
    return watch
  }

  @Test func `A sink that was played to and goes is lost, whichever goes first, it or its links (L5)`() {
    let lost = AudioOutputEvent.sinkLost(SinkDescription(name: "left"))
    var watch = playing(defaultIsPlayed: true)
    #expect(watch.remove(id: 21) + watch.remove(id: 22) == [])
    #expect(watch.remove(id: 3) == [lost, .sinkChanged("speakers")])
    watch = playing(defaultIsPlayed: true)
    #expect(watch.remove(id: 3) == [lost, .sinkChanged("speakers")])
    #expect(watch.remove(id: 21) + watch.remove(id: 22) == [])
    watch = playing(defaultIsPlayed: false)
    #expect(watch.remove(id: 21) + watch.remove(id: 22) == [.sinkChanged("speakers")])
    #expect(watch.remove(id: 3) == [lost])
    #expect(watch.remove(id: 5) == [.routeLost(sink: "speakers")], "nothing was linked to it")
  }

  @Test func `The last sink that goes is a lost route first, and then a lost sink (L5, L6)`() {
    for target in [nil, "left"] {
      var watch = SinkWatch(target: target)
      _ = watch.setStreams([11])
      _ = watch.add(id: 3, name: "left")
      _ = watch.addLink(id: 21, from: 11, to: 3)
      let lost = AudioOutputEvent.sinkLost(SinkDescription(name: "left"))
      #expect(watch.remove(id: 21) + watch.remove(id: 3) == [.routeLost(sink: "left"), lost])
    }
  }

  @Test func `A stream that was moved has lost nothing when the sink that it came from goes (L5)`() {
    var watch = playing(defaultIsPlayed: true)
    #expect(watch.setDefault(json: #"{"name":"speakers"}"#) == [])
    #expect(watch.remove(id: 21) + watch.remove(id: 22) == [.sinkChanged("speakers")])
    #expect(watch.addLink(id: 23, from: 11, to: 5) == [])
    #expect(watch.remove(id: 3) == [])
    #expect(watch.remove(id: 23) == [])
    #expect(
      watch.remove(id: 5) == [
        .routeLost(sink: "speakers"), .sinkLost(SinkDescription(name: "speakers")),
      ])
  }

  @Test func `A sink that somebody else plays to is not lost, nor one that nobody was linked to`() {
    var watch = SinkWatch(target: nil)
    _ = watch.setStreams([11])
    _ = watch.add(id: 3, name: "left")
    _ = watch.add(id: 5, name: "speakers")
    _ = watch.addLink(id: 21, from: 12, to: 3)
    #expect(watch.remove(id: 3) == [.sinkChanged("speakers")])
  }

  @Test func `A lost sink is described by what it and its device said, also where the device went first`() {
    let device = ["device.bus": "usb", "device.form-factor": "headset"]
    for isDeviceFirst in [true, false] {
      var watch = SinkWatch(target: nil)
      if isDeviceFirst { watch.describe(device: 2, device) }
      _ = watch.add(id: 3, name: "alsa_output.x", device: 2)
      if !isDeviceFirst { watch.describe(device: 2, device) }
      watch.describe(sink: 3, ["node.description": "H 3"])
      _ = watch.setStreams([11])
      _ = watch.addLink(id: 21, from: 11, to: 3)
      if isDeviceFirst { #expect(watch.remove(id: 2) == []) }
      let lost = SinkDescription(name: "alsa_output.x", label: "H 3", kind: .headset)
      #expect(watch.remove(id: 3) == [.routeLost(sink: "alsa_output.x"), .sinkLost(lost)])
    }
  }

  @Test func `After the server's return only the sink that was played to counts, once it is linked`() {
    let headset = SinkDescription(name: "left", label: "H", kind: .headset)
    func restarted() -> SinkWatch {
      var watch = SinkWatch(target: nil, awaiting: headset)
      #expect(watch.add(id: 5, name: "speakers") == [])
      #expect(watch.setStreams([11]) + watch.addLink(id: 20, from: 11, to: 5) == [])
      #expect(watch.current == nil && !watch.isUnlinked)
      return watch
    }
    var watch = restarted()
    #expect(watch.add(id: 3, name: "left") == [], "the stream is not there yet")
    #expect(watch.remove(id: 20) == [])
    #expect(watch.addLink(id: 21, from: 11, to: 3) == [.routeRestored(sink: "left")])
    #expect(watch.stopAwaiting() == [], "it has come")
    #expect(watch.remove(id: 21) + watch.addLink(id: 22, from: 11, to: 5) == [.sinkChanged("speakers")])
    watch = restarted()
    #expect(watch.lastPlayed == headset, "a server may go again before")
    #expect(watch.stopAwaiting() == [.routeRestored(sink: "speakers")])
    #expect(watch.lastPlayed == SinkDescription(name: "speakers"))
    watch = SinkWatch(target: nil, awaiting: headset)
    #expect(watch.stopAwaiting() == [])
    #expect(watch.add(id: 5, name: "speakers") == [.routeRestored(sink: "speakers")])
  }

  @Test func `A stream is unlinked where there is a sink and no link of ours to one (L8)`() {
    var watch = playing(defaultIsPlayed: true)
    #expect(!watch.isUnlinked)
    _ = watch.remove(id: 21)
    #expect(!watch.isUnlinked, "one channel is left")
    _ = watch.addLink(id: 24, from: 12, to: 3)
    _ = watch.remove(id: 22)
    #expect(watch.isUnlinked, "somebody else's link is none of ours")
    _ = watch.addLink(id: 25, from: 11, to: 99)
    #expect(watch.isUnlinked, "whoever records us is no sink")
    _ = watch.addLink(id: 26, from: 11, to: 5)
    #expect(!watch.isUnlinked)
    _ = watch.setStreams([])
    #expect(!watch.isUnlinked, "there is nothing to link")
    watch = SinkWatch(target: nil)
    _ = watch.setStreams([11])
    #expect(!watch.isUnlinked, "there is no sink")
  }

  @Test func `It reads the default's name and nothing else`() {
    #expect(SinkWatch.name(inJSON: #"{"name":"a.b-c"}"#) == "a.b-c")
    #expect(SinkWatch.name(inJSON: #"{ "name" : "x" }"#) == "x")
    #expect(SinkWatch.name(inJSON: #"{"name":""}"#) == nil)
    #expect(SinkWatch.name(inJSON: "null") == nil)
  }

  @Test func `The socket is looked for where PipeWire's own client looks`() {
    func path(_ remote: String?, _ environment: [String: String]) -> String? {
      ServerSocket(remoteName: remote) { environment[$0] }.path
    }
    #expect(path("/a/b", [:]) == "/a/b")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/run"]) == "/run/pipewire-0")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/run", "PIPEWIRE_RUNTIME_DIR": "/pw"]) == "/pw/pipewire-0")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/run", "PIPEWIRE_REMOTE": "other"]) == "/run/other")
    #expect(path(nil, [:]) == nil)
  }
}
