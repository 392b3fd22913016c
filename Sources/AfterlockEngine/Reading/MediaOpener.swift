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
    let start = ID3v2Tag.lengthOfAll(file)
    let kind = plainKind(file, start: start)
    if case .flac(let metadata) = kind, metadata.isCutOff {
      throw PlaybackFailure(.corrupt, "The file ends before its sound begins; copy it again.")
    }
    if let kind,
      let reader = try? SndfileReader(file, start: start, kind: kind, interrupter: interrupter)
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
  private static func plainKind(_ file: MediaFile, start: Int64) -> SndfileReader.Kind? {
    let head = file.bytes(at: start, count: 12)
    if head.has("fLaC", at: 0) {
      var metadata = FlacMetadata(file, start: start)
      metadata.hideEndlessComments(in: file)
      if start > 0, let tag = ID3v2Tag(file, at: 0) { metadata.fill(from: tag) }
      return .flac(metadata)
    }
    guard start == 0, head.has("WAVE", at: 8),
      head.has("RIFF", at: 0) || head.has("RF64", at: 0) || head.has("BW64", at: 0)
    else { return nil }
    let layout = RiffLayout(file)
    return layout.hasData ? .riff(layout) : nil
  }
}
