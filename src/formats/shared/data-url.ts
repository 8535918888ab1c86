// Bytes inside a URL: `data:image/png;base64,…`.

/** Undefined for any other URL. */
export function readDataUrl(url: string): { mediaType: string; data: string } | undefined {
  if (!url.startsWith("data:")) return undefined
  const comma = url.indexOf(",")
  if (comma === -1) return undefined
  const [mediaType = "", ...options] = url.slice(5, comma).split(";")
  const body = url.slice(comma + 1)
  const data = options.includes("base64") ? body : Buffer.from(decoded(body), "utf8").toString("base64")
  return { mediaType: mediaType === "" ? "text/plain" : mediaType, data }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
