// What the id of an entry is made from, where a message has an id of its own.

export function messageKey(id: string): string {
  return `message ${id}`
}
