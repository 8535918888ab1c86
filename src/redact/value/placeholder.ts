// Stand-ins for secrets, which are not secret.

/** Values that everyone knows, or that mean nothing. */
const COMMON = new Set(
  `password passw0rd password1 password123 passwd pass pw secret secrets token apikey api_key key changeme change_me change-me
  changeit example examples username user admin administrator root postgres postgresql mysql mongodb redis rabbitmq guest
  anonymous localhost development production staging testing default disabled enabled required optional undefined string
  number boolean unknown none null true false username123 12345678 123456789 1234567890 qwertyui qwerty123 letmein
  placeholder redacted removed hidden masked encrypted credentials authorization authenticated supersecret mysecret
  mypassword yourpassword your_password your-password dummy sample replaceme replace_me replace-me`.split(/\s+/),
)

/** `$NAME`, `${…}`, `<your key>`, `{{ key }}`, `%s`, `[secret 1: …]`, `your-key-here`. */
const STANDS_FOR =
  /^(?:[$<{[%*]|(?:your|my|the|some|insert|enter)[-_ ])|[-_](?:here|goes-here|placeholder|example)$|\.{3}|…/i

/** Contract: true for an empty text, one character repeated, a common word, or a mark in place of a value. */
export function isPlaceholder(value: string): boolean {
  return value === "" || COMMON.has(value.toLowerCase()) || STANDS_FOR.test(value) || isOneAgain(value)
}

function isOneAgain(value: string): boolean {
  const [first = ""] = value
  return value === first.repeat(value.length)
}
