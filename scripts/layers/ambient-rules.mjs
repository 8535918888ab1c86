// What code may not use directly: environment, clock, randomness, JSON.parse. Also errors that nobody notices.
import ts from "typescript"
import { isIn, shortName } from "./places.mjs"

const members = {
  environment: ["process.env", "process.argv", "os.homedir"],
  clock: ["Date.now", "Math.random", "crypto.randomUUID", "crypto.randomBytes", "crypto.getRandomValues"],
  json: ["JSON.parse"],
}
const imported = {
  environment: { os: ["homedir"], process: ["env", "argv"] },
  clock: { crypto: ["randomUUID", "randomBytes", "randomInt", "getRandomValues"] },
}
/** These make an id from their own clock and randomness, unless both are passed in. */
const idMakers = ["v1", "v4", "v6", "v7"]

export function checkAmbient(node, { path, table, report }) {
  const use = ambientUse(node)
  if (use && !isIn(path, table[use.rule])) {
    report(node, `${use.what} belongs in ${table[use.rule].map(shortName).join(", ")} only`, use.rule)
  }
}

export function checkCatch(node, { report }) {
  if (ts.isCatchClause(node) && node.block.statements.length === 0)
    report(node, "a catch block may not be empty", "catch")
  if (
    ts.isCallExpression(node) &&
    memberName(node.expression)?.endsWith(".catch") &&
    isEmptyFunction(node.arguments[0])
  ) {
    report(node, ".catch() may not swallow the error", "catch")
  }
}

function ambientUse(node) {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return memberUse(node)
  if (ts.isImportSpecifier(node)) return importUse(node)
  if (ts.isVariableDeclaration(node)) return destructuringUse(node)
  if (ts.isNewExpression(node) && isNamed(node.expression, "Date") && !node.arguments?.length) {
    return { rule: "clock", what: "new Date()" }
  }
  if (ts.isCallExpression(node) && isNamed(node.expression, "Date")) return { rule: "clock", what: "Date()" }
  return undefined
}

function memberUse(node) {
  const name = memberName(node)
  const rule = Object.keys(members).find((each) => members[each].includes(name))
  return rule && { rule, what: name }
}

function importUse(node) {
  const from = node.parent.parent.parent.moduleSpecifier.text.replace(/^node:/, "")
  const name = (node.propertyName ?? node.name).text
  if (from === "uuid" && idMakers.includes(name) && isCalledBare(node.getSourceFile(), node.name.text)) {
    return { rule: "clock", what: `${name}() of uuid without a time and random bytes` }
  }
  const rule = Object.keys(imported).find((each) => imported[each][from]?.includes(name))
  return rule && { rule, what: name }
}

function destructuringUse(node) {
  if (!ts.isObjectBindingPattern(node.name) || !node.initializer) return undefined
  const owner = memberName(node.initializer) ?? (ts.isIdentifier(node.initializer) ? node.initializer.text : "")
  for (const element of node.name.elements) {
    const name = `${owner.split(".").at(-1)}.${(element.propertyName ?? element.name).getText()}`
    const rule = Object.keys(members).find((each) => members[each].includes(name))
    if (rule) return { rule, what: name }
  }
  return undefined
}

/** The last two names of a member access: "process.env" for process.env, process["env"] and globalThis.process.env. */
function memberName(node) {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return undefined
  const owner = ts.isIdentifier(node.expression) ? node.expression.text : memberName(node.expression)?.split(".").at(-1)
  const member = ts.isPropertyAccessExpression(node) ? node.name.text : node.argumentExpression.text
  return member === undefined ? undefined : `${owner ?? ""}.${member}`
}

function isCalledBare(file, name) {
  const visit = (node) =>
    (ts.isCallExpression(node) && isNamed(node.expression, name) && node.arguments.length === 0) ||
    ts.forEachChild(node, (child) => visit(child) || undefined) === true
  return visit(file)
}

function isNamed(node, name) {
  return ts.isIdentifier(node) && node.text === name
}

function isEmptyFunction(node) {
  const isFunction = node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
  return isFunction && ts.isBlock(node.body) && node.body.statements.length === 0
}
