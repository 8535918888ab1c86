export function marked(file: string, source: string): string
