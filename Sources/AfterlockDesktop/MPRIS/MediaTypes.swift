/// What can be opened, in the words of the desktop.
public enum MediaTypes {
  /// Kinds of addresses that are opened, in lower case.
  public static let schemes = ["file", "http", "https"]

  /// The MIME type that names with this extension have, for everything that a folder is looked through for, and for
  /// playlists.
  public static let byExtension: [String: String] = [
    "aac": "audio/aac", "ac3": "audio/ac3", "adts": "audio/aac", "aif": "audio/x-aiff",
    "aifc": "audio/x-aifc", "aiff": "audio/x-aiff", "alac": "audio/mp4", "amr": "audio/AMR",
    "ape": "audio/x-ape", "au": "audio/basic", "avi": "video/x-msvideo", "caf": "audio/x-caf",
    "dts": "audio/vnd.dts", "eac3": "audio/eac3", "flac": "audio/flac", "flv": "video/x-flv",
    "m2ts": "video/mp2t", "m3u": "audio/x-mpegurl", "m3u8": "application/vnd.apple.mpegurl",
    "m4a": "audio/mp4", "m4b": "audio/x-m4b", "m4r": "audio/x-m4r", "m4v": "video/x-m4v",
    "mka": "audio/x-matroska", "mkv": "video/x-matroska", "mov": "video/quicktime", "mp1": "audio/mpeg",
    "mp2": "audio/mp2", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpa": "audio/mpeg",
    "mpc": "audio/x-musepack", "mpga": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg",
    "ogv": "video/ogg", "opus": "audio/x-opus+ogg", "pls": "audio/x-scpls", "rf64": "audio/x-wav",
    "snd": "audio/basic", "spx": "audio/x-speex", "tta": "audio/x-tta", "voc": "audio/x-voc",
    "w64": "audio/x-w64", "wav": "audio/x-wav", "wave": "audio/x-wav", "weba": "audio/webm",
    "webm": "video/webm", "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack",
  ]

  /// Folders, which are opened with all that is in them.
  public static let folder = "inode/directory"

  /// Other names of the same types that are or were in use: which of them a desktop goes by depends on its age.
  private static let more = [
    "application/ogg", "audio/aiff", "audio/m4a", "audio/matroska", "audio/mpegurl", "audio/opus",
    "audio/vnd.wave", "audio/vorbis", "audio/wav", "audio/x-flac", "audio/x-flac+ogg", "audio/x-m4a",
    "audio/x-mp3", "audio/x-vorbis+ogg",
  ]

  /// Every MIME type that is read, each once, in order.
  public static let mimeTypes = Set(Array(byExtension.values) + more + [folder]).sorted()
}
