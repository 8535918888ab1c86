// Keys and tokens as their makers make them, in prose, in JSON and in a URL: all of each is gone, and it is named.
import { expect, test } from "vitest"
import { redacted } from "./planted.ts"

const LETTERS = "b7Kx9Qm2Lw4Rt6Yp8Zn3Vc5Hs1Jd0Fg7Ua2Ei4Ob"
const HEX = "5f4dcc3b5aa765d61d8327deb882cf99"
const UPPER = "J5XW4ZTPNNSX63DM"
const of = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const mixed = (length: number) => of(LETTERS, length)
const hex = (length: number) => of(HEX, length)

const TOKENS: [kind: string, ...tokens: string[]][] = [
  ["Anthropic key", `sk-ant-api03-${mixed(93)}AA`, `sk-ant-oat01-${mixed(93)}AA`],
  ["OpenAI key", `sk-proj-${mixed(156)}`, `sk-svcacct-${mixed(150)}`, `sk-admin-${mixed(150)}`, `sk-None-${mixed(48)}`],
  ["OpenRouter key", `sk-or-v1-${hex(64)}`],
  ["API key", `sk-${mixed(48)}`, `sk-${hex(32)}`],
  ["Google key", `AIza${mixed(35)}`],
  ["Google token", `ya29.a0A${mixed(120)}`],
  ["Google client secret", `GOCSPX-${mixed(28)}`],
  ["GitHub token", ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((start) => start + mixed(36))],
  ["GitHub token", `github_pat_11${mixed(20)}_${mixed(59)}`],
  ["GitLab token", `glpat-${mixed(20)}`, `glrt-${mixed(20)}`, `gldt-${mixed(20)}`, `glptt-${hex(40)}`],
  ["Slack token", `xoxb-17653672481-19874698323-${mixed(24)}`, `xapp-1-A0${mixed(20)}`],
  ["webhook", `hooks.slack.com/services/T00000000/B00000000/${mixed(24)}`],
  ["webhook", `discord.com/api/webhooks/1234567890123456789/${mixed(68)}`],
  ["Stripe key", `sk_live_${mixed(24)}`, `rk_live_${mixed(24)}`, `sk_test_${mixed(24)}`, `sk_test_${mixed(16)}`],
  ["webhook secret", `whsec_${mixed(32)}`, `whsec_${mixed(23)}=`],
  ["AWS access key", `AKIA${UPPER}`, `ASIA${UPPER}`],
  ["npm token", `npm_${mixed(36)}`],
  ["PyPI token", `pypi-AgEIcHlwaS5vcmc${mixed(150)}`],
  ["Hugging Face token", `hf_${mixed(34)}`, `api_org_${mixed(34)}`],
  ["RubyGems key", `rubygems_${hex(48)}`],
  ["Docker token", `dckr_pat_${mixed(27)}`],
  ["Groq key", `gsk_${mixed(52)}`],
  ["xAI key", `xai-${mixed(80)}`],
  ["Perplexity key", `pplx-${mixed(48)}`],
  ["Replicate token", `r8_${mixed(37)}`],
  ["DigitalOcean token", `dop_v1_${hex(64)}`],
  ["Databricks token", `dapi${hex(32)}`],
  ["Shopify token", `shpat_${hex(32)}`, `shpss_${hex(32)}`],
  ["SendGrid key", `SG.${mixed(22)}.${mixed(43)}`],
  ["Twilio key", `SK${hex(32)}`],
  ["Linear key", `lin_api_${mixed(40)}`],
  ["Notion token", `ntn_${mixed(46)}`, `secret_${mixed(43)}`],
  ["Figma token", `figd_${mixed(40)}`],
  ["Grafana token", `glsa_${mixed(32)}_${hex(8)}`],
  ["New Relic key", `NRAK-${of("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789", 27)}`],
  ["PlanetScale password", `pscale_pw_${mixed(43)}`],
  ["Doppler token", `dp.pt.${mixed(43)}`],
  ["Vault token", `hvs.${mixed(24)}`],
  ["Supabase key", `sbp_${hex(40)}`, `sb_secret_${mixed(31)}`],
  ["Sentry token", `sntrys_${mixed(120)}`],
  ["Postman key", `PMAK-${hex(24)}-${hex(34)}`],
  ["Atlassian token", `ATATT3xFf${mixed(180)}`],
  ["Tailscale key", `tskey-auth-${mixed(12)}-${mixed(32)}`],
  ["Netlify token", `nfp_${mixed(36)}`],
  ["age key", `AGE-SECRET-KEY-1${of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`],
]

const each = TOKENS.flatMap(([kind, ...tokens]) => tokens.map((token): [string, string] => [token, kind]))
test.each(each)("%s is gone: %s", (token, kind) => {
  const mark = `[secret 1: ${kind}]`
  expect(redacted(`Use ${token}.`)).toBe(`Use ${mark}.`)
  expect(redacted(`{"text":"one\\n${token}"}`)).toBe(`{"text":"one\\n${mark}"}`)
  expect(redacted(`(${token})`)).toBe(`(${mark})`)
})
