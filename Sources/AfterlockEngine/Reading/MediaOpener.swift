public import AfterlockCore

/// Opens a file or an address with the reader that fits.
///
/// WAV and FLAC go through libsndfile, which starts in a millisecond; everything else, and what libsndfile refuses,
/// goes through FFmpeg, which is loaded when it is first needed. The first bytes decide, never the name.
public enum MediaOpener {
  /// Opens `location`; the reader belongs to the caller's executor.
  ///
  /// May wait: for the disk, or up to 20 s for the network. `interrupter` breaks that off from another thread.
  /// - Throws: a failure whose message says what is wrong and what can be done.
  public static func open(
    _ location: MediaLocation, interrupter: ReadInterrupter = ReadInterrupter()
  ) throws(PlaybackFailure) -> any MediaReader {
    switch location {
    case .file(let path): try open(MediaFile(path), interrupter)
    case .url(let address): try open(address: address, interrupter)
    }
  }

  private static func open(
    _ file: MediaFile, _ interrupter: ReadInterrupter
  ) throws(PlaybackFailure) -> any MediaReader {
    guard file.size > 0 else { throw PlaybackFailure(.empty, "The file is empty (0 bytes).") }
    if let kind = plainKind(file), let reader = try? SndfileReader(file, kind: kind, interrupter: interrupter)
    {
      return reader
    }
    return try FFmpegReader(file, interrupter: interrupter)
  }

  private static func open(
    address: String, _ interrupter: ReadInterrupter
  ) throws(PlaybackFailure) -> any MediaReader {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw PlaybackFailure(.unsupported, "Only http and https addresses are played, not \(scheme).")
    }
    return try FFmpegReader(address: address, interrupter: interrupter)
  }

  /// What libsndfile may read, by the first bytes; `nil` for everything else.
  private static func plainKind(_ file: MediaFile) -> SndfileReader.Kind? {
    let head = file.bytes(at: 0, count: 40)
    if head.has("WAVE", at: 8), head.has("RIFF", at: 0) || head.has("RF64", at: 0) || head.has("BW64", at: 0)
    {
      let layout = RiffLayout(file)
      // Tags and a picture of ID3 in a chunk are FFmpeg's to read.
      return layout.hasData && !layout.hasID3 ? .riff(layout) : nil
    }
    let start = ID3v2.length(file)
    if file.bytes(at: start, count: 4).has("fLaC", at: 0) {
      // What stands in the ID3 tag in front is FFmpeg's to read.
      return start == 0 ? .flac(FlacMetadata(file, start: 0)) : nil
    }
    return nil
  }
}
