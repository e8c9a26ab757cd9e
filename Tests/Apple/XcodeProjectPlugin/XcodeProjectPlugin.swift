// swift-format-ignore-file
// What Xcode declares for plugins of its projects, as far as StubDBNames uses it and as Apple documents it.
public import Foundation
public import PackagePlugin

public protocol XcodeBuildToolPlugin: Plugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public struct XcodePluginContext {
  public let pluginWorkDirectoryURL: URL
  public let xcodeProject: XcodeProject

  public func tool(named name: String) throws -> PluginContext.Tool {
    throw CocoaError(.featureUnsupported)
  }
}

public struct XcodeProject {
  public let displayName: String
  public let directoryURL: URL
  public let targets: [XcodeTarget]
}

public struct XcodeTarget {
  public let displayName: String
  public let dependencies: [XcodeTargetDependency]
  public let inputFiles: FileList
}

public enum XcodeTargetDependency {
  case target(XcodeTarget)
  case product(any Product)
}
