package import Foundation
package import StubDBChanges
package import StubDBJobs
package import StubDBModel
package import StubDBRemote

/// What publishing needs of the process that runs it.
package struct PublishingContext: Sendable {
  package let environment: [String: String]
  /// Sends requests to stores.
  package let client: RetryingClient
  package let signing: Signing
  /// Receives what happened as soon as it has: a later step may fail.
  package let report: @Sendable (PublishingEvent) throws -> Void

  package init(
    environment: [String: String], client: RetryingClient, signing: Signing,
    report: @escaping @Sendable (PublishingEvent) throws -> Void = { _ in }
  ) {
    (self.environment, self.client) = (environment, client)
    (self.signing, self.report) = (signing, report)
  }
}

/// A step of publishing that was done.
package enum PublishingEvent: Sendable {
  /// Of the two commits that git left in the lock file, the older one is the base of what follows.
  case choseOlder(name: String, commit: ObjectDigest)
  /// git's two versions of the lock file are one, and git waits to be notified.
  case settledLock(SettledLock.Rest)
  case merged(MergedCommit)
  /// A merge that is not possible before other conflicts are settled.
  case refusedMerge(JobError)
  case isEdited(name: String, file: URL)
  case wrote(name: String, file: URL, commit: ObjectDigest)
  case isCached(name: String, commit: ObjectDigest)
  case downloaded(name: String, LockFile.Entry)
  case added(AddedCatalog)
  case isNewest(name: String, commit: ObjectDigest)
  case moved(MovedCatalog)
  case lostIncludes([LostInclude], of: String)
}

/// A newer commit that was merged into a catalog that is edited here.
package struct MergedCommit: Sendable {
  package let file: URL
  package let remote: RemoteURL
  package let commit: ObjectDigest
  /// What others changed since the common ancestor.
  package let differences: [ScenarioDifference]
  /// The scenarios that the merge wrote.
  package let written: [Scenario]
  /// How many conflicts have to be settled.
  package let conflictCount: Int
  /// The trusted key that signed the commit; nil if no signature is required.
  package let signer: PublicKey?
}

/// A catalog that the lock file names from now on.
package struct AddedCatalog: Sendable {
  package let name: String
  /// Where it is edited; nil if it is only read.
  package let file: URL?
  package let lockFile: URL
  package let commit: ObjectDigest
  package let bytes: Int
  package let signer: PublicKey?
  /// The keys that signed the commit, if no signature is required.
  package let optionalSigners: [PublicKey]
}

/// A catalog that is only read here, of which the lock file names a newer commit now.
package struct MovedCatalog: Sendable {
  package let name: String
  package let before: ObjectDigest
  package let after: ObjectDigest
  package let differences: [ScenarioDifference]
  /// Whether the newer commit was pushed before the other one: an older version was put in its place.
  package let isOlder: Bool
  package let signer: PublicKey?
}
