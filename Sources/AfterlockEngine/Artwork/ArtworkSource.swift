public import AfterlockCore
import Synchronization

/// Finds the picture of a track, makes it small enough and keeps it where other programs can read it.
///
/// Isolation: none; ``load(_:)`` works on a thread of its own, behind all that plays, so that a slow disk, a server or a
/// large picture holds neither an actor nor Swift's own threads. Where several places have a picture, the one in the file
/// comes first, then those beside it (``FolderPictures``); one that cannot be shown gives way to the next.
public final class ArtworkSource: Sendable {
  private struct Latest {
    let digest: UInt128
    let side: Int?
    let picture: PictureScaler.Picture
  }

  private let cache: ArtworkCache?
  private let threads = BlockingThreads(most: 2)
  /// The tracks of an album often have one picture.
  private let latest = Mutex<Latest?>(nil)

  /// - Parameter cache: `nil` gives pictures without files.
  public init(cache: ArtworkCache?) { self.cache = cache }

  /// The picture, and its file where there is room for one; `nil` when there is none that can be shown. Stops soon when
  /// its task is cancelled, and then gives `nil`.
  @concurrent
  public func load(_ request: ArtworkRequest) async -> ArtworkImage? {
    let interrupter = ReadInterrupter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        threads.run(
          .init(isWanted: { !interrupter.isInterrupted }) { isToRun in
            continuation.resume(returning: isToRun ? self.find(request, interrupter) : nil)
          })
      }
    } onCancel: {
      interrupter.interrupt()
      threads.dropUnwanted()
    }
  }

  /// What is given out of a picture of these bytes; takes up to seconds, on the caller's thread.
  /// - Returns: `nil` for what is no picture, is damaged or too large.
  public static func shown(_ bytes: [UInt8], maximumSide: Int?) -> ArtworkImage? {
    PictureScaler.fit(bytes, into: maximumSide).map {
      ArtworkImage(bytes: $0.bytes, mimeType: $0.kind.mimeType)
    }
  }

  // MARK: - On its own thread

  func find(_ request: ArtworkRequest, _ interrupter: ReadInterrupter) -> ArtworkImage? {
    if request.mayBeEmbedded, let bytes = Self.embedded(in: request.location, interrupter),
      let image = show(bytes, request.maximumSide, interrupter)
    {
      return image
    }
    guard case .file(let path) = request.location, !interrupter.isInterrupted else { return nil }
    for candidate in FolderPictures.paths(beside: path) {
      // Only a regular file is opened: another could wait for ever.
      guard let file = try? MediaFile(candidate), file.size <= Int64(ArtworkLimits.mostBytes) else {
        continue
      }
      let bytes = file.bytes(at: 0, count: Int(file.size))
      if interrupter.isInterrupted { return nil }
      if let image = show(bytes, request.maximumSide, interrupter) { return image }
    }
    return nil
  }

  private static func embedded(in location: MediaLocation, _ interrupter: ReadInterrupter) -> [UInt8]? {
    // The tag of an MP3 file is read without a second look at its frames.
    if case .file(let path) = location, let file = try? MediaFile(path), let tag = ID3v2Tag(file, at: 0),
      let picture = EmbeddedPicture.best(tag.pictures)
    {
      return picture.read(file)?.bytes
    }
    guard let reader = try? MediaOpener.open(location, interrupter: interrupter) else { return nil }
    defer { reader.close() }
    return reader.readArtwork()?.bytes
  }

  private func show(_ bytes: [UInt8], _ side: Int?, _ interrupter: ReadInterrupter) -> ArtworkImage? {
    let digest = ArtworkCache.digest(bytes)
    var picture = latest.withLock { $0?.digest == digest && $0?.side == side ? $0?.picture : nil }
    if picture == nil {
      picture = PictureScaler.fit(bytes, into: side) { interrupter.isInterrupted }
      // What was not made smaller may be large.
      if let picture, picture.bytes.count <= ArtworkLimits.mostBytesAsTheyAre {
        latest.withLock { $0 = Latest(digest: digest, side: side, picture: picture) }
      }
    }
    guard let picture, !interrupter.isInterrupted else { return nil }
    return ArtworkImage(
      bytes: picture.bytes, mimeType: picture.kind.mimeType, file: cache?.store(picture))
  }
}
