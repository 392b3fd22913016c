import Foundation

/// The configuration files of a private desktop: everything that its servers read stands in its own folder.
enum DesktopFiles {
  /// PipeWire's whole configuration: no hardware, no portal, no X11, the sinks made at start.
  static func pipeWire(sinks: [VirtualSink], rate: Int, quantum: Int?) -> String {
    let rates = Set(sinks.map(\.rate)).union([rate]).sorted().map(String.init).joined(separator: " ")
    let objects = sinks.map { "  { factory = adapter args = \($0.nodeProperties) }" }.joined(separator: "\n")
    return """
      context.properties = {
        core.daemon = true
        core.name = pipewire-0
        log.level = 2
        link.max-buffers = 16
        default.clock.rate = \(rate)
        default.clock.allowed-rates = [ \(rates) ]
        default.clock.quantum = \(quantum ?? PrivateDesktop.usualQuantum)
        default.clock.min-quantum = \(quantum ?? 16)
        default.clock.max-quantum = \(quantum ?? 8192)
      }
      context.spa-libs = {
        audio.convert.* = audioconvert/libspa-audioconvert
        support.* = support/libspa-support
      }
      context.modules = [
        { name = libpipewire-module-rt args = { nice.level = -11 } flags = [ ifexists nofail ] }
        { name = libpipewire-module-protocol-native }
        { name = libpipewire-module-profiler }
        { name = libpipewire-module-metadata }
        { name = libpipewire-module-spa-device-factory }
        { name = libpipewire-module-spa-node-factory }
        { name = libpipewire-module-client-node }
        { name = libpipewire-module-client-device }
        { name = libpipewire-module-access }
        { name = libpipewire-module-adapter }
        { name = libpipewire-module-link-factory }
        { name = libpipewire-module-session-manager }
      ]
      context.objects = [
        { factory = spa-node-factory args = {
            factory.name = support.node.driver node.name = Dummy-Driver
            node.group = pipewire.dummy priority.driver = 20000 } }
        { factory = spa-node-factory args = {
            factory.name = support.node.driver node.name = Freewheel-Driver
            node.group = pipewire.freewheel priority.driver = 19000 node.freewheel = true } }
      \(objects)
      ]

      """
  }

  /// What WirePlumber 0.4 runs: Debian 12's own list without the monitors of hardware.
  static let wirePlumberMain = """
    load_module("metadata")
    default_access.enable()
    device_defaults.enable()
    stream_defaults.enable()
    load_script("intended-roles.lua")
    load_script("suspend-node.lua")

    """

  /// The same wish in the words of WirePlumber 0.5, which reads no Lua configuration.
  static let wirePlumberProfile = """
    wireplumber.profiles = {
      main = {
        hardware.audio = disabled
        hardware.bluetooth = disabled
        hardware.video-capture = disabled
      }
    }

    """

  /// A session bus that starts no services: what is on it was put there by the test.
  static func bus(socket: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }

  /// Writes all files but PipeWire's, which changes with the sinks.
  static func write(into folder: String) throws(DesktopError) {
    let lua = "\(folder)/config/wireplumber"
    for path in [
      "\(lua)/main.lua.d", "\(lua)/bluetooth.lua.d", "\(lua)/wireplumber.conf.d", "\(folder)/state",
      "\(folder)/cache", "\(folder)/data",
    ] {
      try makeFolder(path)
    }
    try write(wirePlumberMain, to: "\(lua)/main.lua.d/90-enable-all.lua")
    try write("-- no Bluetooth on a private desktop\n", to: "\(lua)/bluetooth.lua.d/90-enable-all.lua")
    try write(wirePlumberProfile, to: "\(lua)/wireplumber.conf.d/afterlock.conf")
    try write(bus(socket: "\(folder)/bus"), to: "\(folder)/bus.conf")
  }

  /// Writes a text file.
  static func write(_ text: String, to path: String) throws(DesktopError) {
    do {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    } catch {
      throw DesktopError(.fileSystem, "cannot write \(path): \(error)")
    }
  }

  private static func makeFolder(_ path: String) throws(DesktopError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw DesktopError(.fileSystem, "cannot make the folder \(path): \(error)")
    }
  }
}
