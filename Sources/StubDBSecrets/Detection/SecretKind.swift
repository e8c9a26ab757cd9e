/// What a secret seems to be.
package enum SecretKind: String, CaseIterable, Hashable, Sendable {
  case bearerToken
  case basicCredentials
  case jwt
  case awsAccessKey
  case awsSecretKey
  case gitHubToken
  case gitLabToken
  case slackToken
  case stripeKey
  case googleKey
  case openAIKey
  case sendGridKey
  case npmToken
  case pyPIToken
  case privateKey
  case sessionCookie
  case urlCredentials
  /// A value whose name says that it is a password.
  case password
  /// A value whose name says that it is a secret, and that looks random.
  case namedSecret
}
