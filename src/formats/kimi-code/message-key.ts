// What the id of an entry is derived from if the message has an id of its own.

export function messageKey(id: string): string {
  return `message ${id}`
}
