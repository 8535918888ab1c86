export { RetconError } from "./model/failure.ts"
