// npm run build: brings node_modules and dist/ up to date.
import { prepare } from "./prepare.mjs"

await prepare("install", "build")
