// Prints the title of every session. usage: list HOME
import { fileStore } from "../../../src/index.ts"

const sessions = await fileStore({ home: process.argv[2] ?? "" }).list()
console.log(sessions.map(({ title }) => title).join("\n"))
