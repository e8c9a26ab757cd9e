/// The kind of a secret.
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
  case twilioKey
  case mailgunKey
  case telegramToken
  case discordToken
  case digitalOceanToken
  case shopifyToken
  case huggingFaceToken
  case databricksToken
  case squareToken
  case linearKey
  case newRelicKey
  case atlassianToken
  case vaultToken
  case dopplerToken
  case ageKey
  case privateKey
  case sessionCookie
  case urlCredentials
  /// A value whose name marks it as a password.
  case password
  /// A value whose name marks it as a secret, and that looks random.
  case namedSecret
}
