/// Words as a shell takes them. Pure.
enum ShellWord {
  /// `word` so that a shell reads it as one word and changes nothing in it.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "_-./,:=@%+".unicodeScalars.contains(scalar)
      }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
