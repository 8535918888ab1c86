// The table of tokens whose prefix shows whose they are: kind, alphabet of what follows, its least length, prefixes.
import { type Alphabet, alphabet, LETTERS_AND_DIGITS, TOKEN } from "./alphabet.ts"

const HEX = alphabet(/[0-9a-f]/)
const DOTTED = alphabet(/[\w.-]/)
const HYPHENS = alphabet(/[A-Za-z0-9-]/)
const PATH = alphabet(/[\w/-]/)
const UPPER_BASE32 = alphabet(/[A-Z2-7]/)
const PADDED = alphabet(/[A-Za-z0-9+/=_-]/)

export interface TokenLimits {
  /** The most characters after the prefix. */
  most: number
  /** Where it may begin: anywhere; not in the middle of a long run, which may be an image; only where a word begins. */
  begins: "anywhere" | "outside-runs" | "word"
}

type Line = readonly [kind: string, of: Alphabet, least: number, prefixes: string, limits?: Partial<TokenLimits>]

export const PREFIX_TABLE: readonly Line[] = [
  ["Anthropic key", TOKEN, 20, "sk-ant-"],
  ["OpenAI key", TOKEN, 20, "sk-proj- sk-svcacct- sk-admin- sk-None-"],
  ["OpenRouter key", TOKEN, 20, "sk-or-v1-"],
  ["API key", LETTERS_AND_DIGITS, 32, "sk-", { begins: "word" }],
  ["Google key", TOKEN, 35, "AIza", { begins: "outside-runs" }],
  ["Google token", DOTTED, 20, "ya29.", { begins: "word" }],
  ["Google client secret", TOKEN, 20, "GOCSPX-"],
  ["GitHub token", LETTERS_AND_DIGITS, 30, "ghp_ gho_ ghu_ ghs_ ghr_"],
  ["GitHub token", TOKEN, 30, "github_pat_"],
  ["GitLab token", DOTTED, 20, "glpat- gldt- glrt- glptt- glcbt- glsoat- glimt- glagent- gloas-"],
  ["Slack token", HYPHENS, 20, "xoxb- xoxp- xoxa- xoxs- xoxr- xoxe- xoxc- xoxd- xapp- xoxe."],
  ["webhook", PATH, 20, "hooks.slack.com/services/ hooks.slack.com/workflows/"],
  ["webhook", PATH, 40, "discord.com/api/webhooks/ discordapp.com/api/webhooks/"],
  ["Stripe key", LETTERS_AND_DIGITS, 16, "sk_live_ rk_live_ sk_test_ rk_test_"],
  ["webhook secret", PADDED, 24, "whsec_"],
  ["AWS access key", UPPER_BASE32, 16, "AKIA ASIA ABIA ACCA", { most: 16 }],
  ["npm token", LETTERS_AND_DIGITS, 36, "npm_"],
  ["PyPI token", TOKEN, 50, "pypi-AgE pypi-AgN"],
  ["Hugging Face token", LETTERS_AND_DIGITS, 30, "hf_ api_org_", { begins: "outside-runs" }],
  ["RubyGems key", HEX, 40, "rubygems_"],
  ["Docker token", TOKEN, 20, "dckr_pat_ dckr_oat_"],
  ["Groq key", LETTERS_AND_DIGITS, 40, "gsk_"],
  ["xAI key", LETTERS_AND_DIGITS, 60, "xai-"],
  ["Perplexity key", LETTERS_AND_DIGITS, 40, "pplx-"],
  ["Replicate token", LETTERS_AND_DIGITS, 36, "r8_", { begins: "outside-runs" }],
  ["DigitalOcean token", HEX, 60, "dop_v1_ doo_v1_ dor_v1_"],
  ["Databricks token", HEX, 32, "dapi", { begins: "word" }],
  ["Shopify token", HEX, 32, "shpat_ shpca_ shppa_ shpss_"],
  ["SendGrid key", DOTTED, 60, "SG.", { begins: "word" }],
  ["Twilio key", HEX, 32, "SK", { begins: "word" }],
  ["Linear key", LETTERS_AND_DIGITS, 32, "lin_api_ lin_oauth_"],
  ["Notion token", LETTERS_AND_DIGITS, 40, "ntn_ secret_", { begins: "word" }],
  ["Figma token", TOKEN, 40, "figd_"],
  ["Grafana token", PADDED, 32, "glsa_ glc_"],
  ["New Relic key", LETTERS_AND_DIGITS, 27, "NRAK-"],
  ["PlanetScale password", DOTTED, 32, "pscale_tkn_ pscale_pw_ pscale_oauth_"],
  ["Doppler token", LETTERS_AND_DIGITS, 40, "dp.pt. dp.ct. dp.sa."],
  ["Vault token", TOKEN, 24, "hvs. hvb. hvr.", { begins: "word" }],
  ["Supabase key", TOKEN, 20, "sbp_ sb_secret_", { begins: "word" }],
  ["Sentry token", PADDED, 40, "sntrys_ sntryu_"],
  ["Postman key", HYPHENS, 50, "PMAK-"],
  ["Atlassian token", PADDED, 50, "ATATT3xFf ATCTT3xFf"],
  ["Tailscale key", HYPHENS, 20, "tskey-"],
  ["Netlify token", LETTERS_AND_DIGITS, 36, "nfp_"],
  ["age key", LETTERS_AND_DIGITS, 50, "AGE-SECRET-KEY-1"],
]
