// One setting from the text of a git configuration. Included files are not followed.

/** The last value of a key in a section without a name of its own, such as `core`. Contract: lower case for both. */
export function gitSetting(text: string, section: string, key: string): string | undefined {
  let at = ""
  let found: string | undefined
  for (const line of text.split("\n")) {
    at = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? at
    const [, name = "", value = ""] = /^\s*([a-z][a-z0-9-]*)\s*=\s*(.*?)\s*$/i.exec(line) ?? []
    if (at === section && name.toLowerCase() === key && value !== "") found = value.replace(/^"(.*)"$/, "$1")
  }
  return found
}
