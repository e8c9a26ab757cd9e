package import StubDBModel

extension SecretKind {
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
