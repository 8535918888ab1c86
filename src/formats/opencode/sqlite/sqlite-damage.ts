// What a database says that cannot be. It ends the reading of it, and never the program.

export class SqliteDamage extends Error {}

/** More pages lead down to a row in no database that SQLite could have made. */
export const MOST_LEVELS = 20
