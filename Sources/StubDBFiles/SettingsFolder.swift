package import Foundation

/// The folder in which programs keep the settings of the person who runs them.
package enum SettingsFolder {
  /// The folder as an environment has it; nil if it names no home folder.
  ///
  /// Relative paths are ignored: https://specifications.freedesktop.org/basedir-spec/latest
  package static func url(_ environment: [String: String]) -> URL? {
    func path(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    #if os(macOS)
      let usual = "/Library/Application Support"
    #else
      let usual = "/.config"
    #endif
    return (path("XDG_CONFIG_HOME") ?? path("HOME").map { $0 + usual })
      .map { URL(fileURLWithPath: $0, isDirectory: true) }
  }
}
