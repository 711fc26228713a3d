/** User-visible texts of TypeScript (strings, templates, JSX) and YAML. */
import ts from 'typescript-compiler'
import {
  isPair,
  isScalar,
  LineCounter,
  type Pair,
  parseAllDocuments,
  visit as visitYaml,
} from 'yaml'

export interface SourceText {
  /** Counted from 1. */
  line: number
  /** Placeholders of a template are `…`. */
  text: string
  /** A title, a label or the text of a button or heading. */
  isLabel: boolean
}

/** Attributes and properties that are never shown. */
const NOT_TEXT =
  /^(?:className|class|style|id|key|type|role|icon|name|tone|d|viewBox|rel|href|method|path|kind|body|manifest|objects)$/
const NOT_IN_LESSONS = /^(?:rules|message|code|language)$/
const LABEL = /^(?:title|label|aria-label|placeholder|group)$/
const LABEL_ELEMENT = /^(?:button|h[1-6]|summary|legend|th)$/

/** @param file selects TypeScript or TSX */
export function textsIn(file: string, source: string): SourceText[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const texts: SourceText[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== undefined && isText(text) && !isCode(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      texts.push({ line: line + 1, text, isLabel: isLabel(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return texts
}

/** @returns the texts of a YAML file, such as a lesson */
export function textsInYaml(source: string): SourceText[] {
  const lines = new LineCounter()
  const texts: SourceText[] = []
  for (const document of parseAllDocuments(source, { lineCounter: lines }))
    visitYaml(document, {
      Scalar(key, { value: text, range }, path) {
        const name = nameOfPair(path)
        if (key === 'key' || typeof text !== 'string' || !isText(text)) return
        if (NOT_TEXT.test(name) || NOT_IN_LESSONS.test(name)) return
        const { line } = lines.linePos(range?.[0] ?? 0)
        texts.push({ line, text, isLabel: LABEL.test(name) })
      },
    })
  return texts
}

/** Empty without a pair. */
function nameOfPair(path: readonly unknown[]): string {
  const pair = path.findLast((node): node is Pair => isPair(node))
  return pair !== undefined && isScalar(pair.key) ? String(pair.key.value) : ''
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isJsxText(node)) return node.text.replace(/\s+/g, ' ').trim()
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
}

/** Several words, or one capitalized word. */
const isText = (text: string): boolean =>
  /[A-Za-z]+[.,:;?!…]* \S/.test(text) || /^[A-Z][a-z]+/.test(text)

function isCode(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true
  if (ts.isLiteralTypeNode(parent)) return true
  return NOT_TEXT.test(nameAbove(node))
}

/** The attribute or property with this value; empty if none. */
function nameAbove(node: ts.Node): string {
  let { parent } = node
  while (ts.isJsxExpression(parent) || ts.isConditionalExpression(parent)) parent = parent.parent
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  return ''
}

function isLabel(node: ts.Node): boolean {
  if (LABEL.test(nameAbove(node))) return true
  const { parent } = node
  return (
    ts.isJsxText(node) &&
    ts.isJsxElement(parent) &&
    LABEL_ELEMENT.test(parent.openingElement.tagName.getText())
  )
}

/** JSX attributes and properties that are shown or announced. */
const SHOWN = /^(?:title|label|aria-label|placeholder|alt|about|hint|heading)$/
/** Functions of the page that show an argument, and its position. */
const SHOWN_ARGUMENT: ReadonlyMap<string, number> = new Map([
  ['notify', 0],
  ['copyText', 1],
])
/** Names of files, and of commands and variables such as `curl` and `oldObject`. */
const NAME = /^(?:[\w…-]+\.(?:yaml|ts)|[a-z]\w*)$/

/**
 * @returns literal texts that the page shows: JSX, text attributes, titles of commands, notices.
 * Punctuation and symbols do not count.
 */
export function shownLiterals(file: string, source: string): Pick<SourceText, 'line' | 'text'>[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
  const found: Pick<SourceText, 'line' | 'text'>[] = []
  const add = (node: ts.Node, above: ts.Node): void => {
    const text = textOf(node) ?? ''
    if (!/\p{Letter}/u.test(text) || (ts.isPropertyAssignment(above) && NAME.test(text))) return
    const { line } = tree.getLineAndCharacterOfPosition(node.getEnd())
    found.push({ line: line + 1, text })
  }
  const visit = (node: ts.Node): void => {
    for (const shown of shownIn(node)) for (const value of valuesOf(shown)) add(value, node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The parts of a node, without those of its children, that the page shows. */
function shownIn(node: ts.Node): readonly ts.Node[] {
  if (ts.isJsxText(node)) return [node]
  if (ts.isJsxExpression(node)) return ts.isJsxAttribute(node.parent) ? [] : [node]
  if (ts.isJsxAttribute(node))
    return SHOWN.test(node.name.getText()) && node.initializer ? [node.initializer] : []
  if (ts.isPropertyAssignment(node))
    return SHOWN.test(node.name.getText()) ? [node.initializer] : []
  if (!ts.isCallExpression(node)) return []
  const at = SHOWN_ARGUMENT.get(node.expression.getText())
  const argument = at === undefined ? undefined : node.arguments[at]
  return argument === undefined ? [] : [argument]
}

/** Possible values of an expression, such as both branches of a conditional. */
function valuesOf(node: ts.Node): ts.Node[] {
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node))
    return node.expression ? valuesOf(node.expression) : []
  if (ts.isConditionalExpression(node))
    return [...valuesOf(node.whenTrue), ...valuesOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return valuesOf(node.right)
    const joins = [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.PlusToken,
    ].includes(kind)
    return joins ? [...valuesOf(node.left), ...valuesOf(node.right)] : []
  }
  return [node]
}
