// Shortens a record's long texts: a page shows the beginning, and fetches the rest on demand.
import type { LogRecord, Part } from "../../model/record/record.ts"

/** Contract: a shortened part has `cut`, its full length; everything else is unchanged. */
export function cutRecord(record: LogRecord, most: number): LogRecord {
  if (record.type !== "message") return record
  return { ...record, content: record.content.map((part) => cutPart(part, most)) }
}

function cutPart(part: Part, most: number): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text === undefined || part.text.length <= most ? part : marked(part, "text", part.text, most)
    case "tool-result": {
      const media = part.media === undefined ? {} : { media: part.media.map((each) => cutPart(each, most)) }
      const whole = { ...part, ...media }
      return part.output === undefined || part.output.length <= most
        ? whole
        : marked(whole, "output", part.output, most)
    }
    case "image":
    case "file":
      return part.data === undefined || part.data.length <= most ? part : marked(part, "data", part.data, 0)
    case "tool-call":
    case "unknown":
      return part
  }
}

function marked(part: Part, field: string, text: string, most: number): Part {
  return { ...part, [field]: text.slice(0, most), cut: text.length } as unknown as Part
}
