import AfterlockCore
import Testing

@testable import AfterlockPipeWire

@Suite struct SinkKindTests {
  @Test(arguments: [
    // What a node or its device says of its form counts most.
    (["device.form-factor": "headset", "device.bus": "bluetooth"], SinkKind.headset),
    (["device.form-factor": "Headset"], .headset),
    (["device.form-factor": "hands-free", "device.api": "bluez5"], .headset),
    (["device.form-factor": "headphone", "device.bus": "usb"], .headphones),
    // Then how it is connected.
    (["device.form-factor": "speaker", "device.bus": "bluetooth"], .bluetooth),
    (["device.api": "bluez5"], .bluetooth),
    (["api.bluez5.address": "00:11:22:33:44:55"], .bluetooth),
    (["factory.name": "api.bluez5.a2dp.sink"], .bluetooth),
    (["device.form-factor": "internal", "device.bus": "usb"], .usb),
    // And its name last.
    (["node.name": "bluez_output.00_11_22_33_44_55.1"], .bluetooth),
    (["node.name": "alsa_output.usb-Focusrite_Scarlett-00.analog-stereo"], .usb),
    (["node.name": "alsa_output.pci-0000_00_1f.3-platform-skl.HiFi__Headphones__sink"], .headphones),
    (["node.name": "alsa_output.pci-0000_00_1f.3.Headset"], .headset),
    // A name that says so does not make a headset of what says that it is something else on a bus.
    (["node.name": "headset", "device.bus": "bluetooth"], .bluetooth),
    (["node.name": "alsa_output.pci-0000_00_1f.3.analog-stereo", "device.bus": "pci"], .other),
    (["node.name": "alsa_output.pci-0000_01_00.1.hdmi-stereo", "device.api": "alsa"], .other),
    (["device.form-factor": "internal"], .other),
    (["device.form-factor": "", "device.bus": "", "device.api": ""], .other),
    ([:], .other),
  ])
  func `A sink's kind is told by its properties`(properties: [String: String], kind: SinkKind) {
    #expect(SinkKind(properties: properties) == kind)
  }

  @Test func `All but the last kind are personal`() {
    #expect(SinkKind.allCases.filter { !$0.isPersonal } == [.other])
  }

  @Test func `A sink is called by what mixers show, and by its name where they show none`() {
    func label(_ properties: [String: String]) -> String {
      SinkDescription(name: "name", properties: properties).label
    }
    #expect(label(["node.description": "Long", "node.nick": "Nick"]) == "Long")
    #expect(label(["node.description": "", "node.nick": "Nick"]) == "Nick")
    #expect(label([:]) == "name")
  }
}
