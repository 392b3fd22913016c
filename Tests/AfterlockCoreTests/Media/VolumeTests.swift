import AfterlockCore
import Testing

@Suite struct VolumeTests {
  @Test(arguments: [(0, 0), (10, 0.001), (50, 0.125), (80, 0.512), (100, 1), (150, 3.375)])
  func `The samples get the cube of the slider, and the slider the root of the samples`(
    percent: Int, linear: Double
  ) {
    let volume = Volume(percent: Double(percent))
    #expect(abs(volume.linear - linear) < 1e-12)
    #expect(abs(Volume(linear: linear).percent - Double(percent)) < 1e-9)
  }

  @Test func `Every whole percent comes back from the samples as it went`() {
    let wrong = (0...150).filter {
      abs(Volume(linear: Volume(percent: Double($0)).linear).percent - Double($0)) > 1e-9
    }
    #expect(wrong == [])
  }

  @Test func `It stays within silence and 150 %`() {
    #expect(Volume(percent: 151).percent == 150 && Volume(percent: 149).percent == 149)
    #expect(Volume(percent: -1).slider == 0 && Volume(slider: .nan).slider == 0)
    #expect(Volume(linear: -1).slider == 0 && Volume(linear: 1_000).slider == Volume.maximum)
    #expect(Volume(percent: 40) < Volume(percent: 50) && Volume.full.linear == 1)
  }
}
