// Single changes to a source text, each of which a test should notice: made in its syntax tree, so the result parses.
import ts from "typescript"

const { SyntaxKind } = ts

const SWAPS = new Map([
  [SyntaxKind.LessThanToken, "<="],
  [SyntaxKind.LessThanEqualsToken, "<"],
  [SyntaxKind.GreaterThanToken, ">="],
  [SyntaxKind.GreaterThanEqualsToken, ">"],
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [SyntaxKind.AmpersandAmpersandToken, "||"],
  [SyntaxKind.BarBarToken, "&&"],
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
])

/** Contract: in the order of the text. `from` and `to` are offsets in it, `text` is the replacement. */
export function changesIn(source) {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true)
  const found = []
  const replace = (node, text) => found.push({ from: node.getStart(file), to: node.end, text })

  function visit(node) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isLiteralTypeNode(node.parent ?? node)) return
    if (ts.isBinaryExpression(node)) swap(node)
    else if (ts.isNumericLiteral(node)) replace(node, String(Number(node.text.replaceAll("_", "")) + 1))
    else if (node.kind === SyntaxKind.TrueKeyword) replace(node, "false")
    else if (node.kind === SyntaxKind.FalseKeyword) replace(node, "true")
    else if (ts.isAwaitExpression(node)) replace(node, node.expression.getText(file))
    else if (ts.isExpressionStatement(node)) replace(node, ";")
    const condition = conditionOf(node)
    if (condition !== undefined) replace(condition, `!(${condition.getText(file)})`)
    ts.forEachChild(node, visit)
  }

  function swap({ operatorToken, left, right }) {
    const other = SWAPS.get(operatorToken.kind)
    // Strings are joined, not added.
    if (operatorToken.kind === SyntaxKind.PlusToken && [left, right].some(isText)) return
    if (other !== undefined) replace(operatorToken, other)
  }

  visit(file)
  return found.sort((a, b) => a.from - b.from || a.to - b.to)
}

function isText(node) {
  return ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)
}

function conditionOf(node) {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression
  return ts.isConditionalExpression(node) ? node.condition : undefined
}

export function changed(source, { from, to, text }) {
  return source.slice(0, from) + text + source.slice(to)
}

/** The line of a change, before and after, for people to compare. */
export function lineOf(source, change) {
  const number = source.slice(0, change.from).split("\n").length
  const oneLine = (text) => text.replace(/\s+/g, " ").trim()
  const start = source.lastIndexOf("\n", change.from - 1) + 1
  const end = source.indexOf("\n", change.to)
  const stop = end < 0 ? source.length : end
  const after = source.slice(start, change.from) + change.text + source.slice(change.to, stop)
  return { number, before: oneLine(source.slice(start, stop)), after: oneLine(after) }
}
