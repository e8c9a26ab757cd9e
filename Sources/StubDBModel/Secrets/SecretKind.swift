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

  /// The kind in words, such as `GitHub token`.
  package var title: String {
    switch self {
    case .bearerToken: "bearer token"
    case .basicCredentials: "basic credentials"
    case .jwt: "JSON web token"
    case .awsAccessKey: "AWS access key"
    case .awsSecretKey: "AWS secret key"
    case .gitHubToken: "GitHub token"
    case .gitLabToken: "GitLab token"
    case .slackToken: "Slack token"
    case .stripeKey: "Stripe key"
    case .googleKey: "Google key"
    case .openAIKey: "API key (sk-…)"
    case .sendGridKey: "SendGrid key"
    case .npmToken: "npm token"
    case .pyPIToken: "PyPI token"
    case .twilioKey: "Twilio key"
    case .mailgunKey: "Mailgun key"
    case .telegramToken: "Telegram bot token"
    case .discordToken: "Discord bot token"
    case .digitalOceanToken: "DigitalOcean token"
    case .shopifyToken: "Shopify token"
    case .huggingFaceToken: "Hugging Face token"
    case .databricksToken: "Databricks token"
    case .squareToken: "Square token"
    case .linearKey: "Linear key"
    case .newRelicKey: "New Relic key"
    case .atlassianToken: "Atlassian token"
    case .vaultToken: "Vault token"
    case .dopplerToken: "Doppler token"
    case .ageKey: "age key"
    case .privateKey: "private key"
    case .sessionCookie: "session identifier"
    case .urlCredentials: "password in a URL"
    case .password: "password"
    case .namedSecret: "random value that is named a secret"
    }
  }
}
