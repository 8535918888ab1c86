// What an entry's id is derived from, if the message has its own id.

export function messageKey(id: string): string {
  return `message ${id}`
}
