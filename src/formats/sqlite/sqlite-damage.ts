// A contradiction in a database. It ends the reading, but never the program.

export class SqliteDamage extends Error {}

/** No database that SQLite could have made is deeper than this. */
export const MOST_LEVELS = 20
