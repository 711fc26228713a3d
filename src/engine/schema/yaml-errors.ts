/**
 * Syntax errors of YAML in the words of the real server's parser, which reports the scanner's view ("mapping values are not
 * allowed in this context") where the parser used here reports a rule of the specification (recorded: wire-bodies,
 * "malformed-yaml"; apply-basics, "invalid-yaml").
 */

/** A body that is not YAML; the message is the real server's (`yaml: line 2: mapping values are not allowed in this context`). */
export class YamlSyntaxError extends Error {
  constructor(problem: string) {
    super(`yaml: ${problem}`)
  }
}

/** An error as the `yaml` package describes it. */
export interface YamlProblem {
  code: string
  message: string
  /** Offset in the text. */
  position: number
}

interface Finding {
  message: string
  /** Where the real server's parser stops. */
  position: number
  /** Its scanner counts lines from one, its parser from zero; neither names the first line. */
  by: 'scanner' | 'parser'
}

/** `line 2: mapping values are not allowed in this context` */
export const goYamlError = (text: string, problem: YamlProblem): string => told(text, findingOf(text, problem))

/** What the real server's scanner says of a place in the text. */
export const scannerError = (text: string, message: string, position: number): string => told(text, scanner(message, position))

function told(text: string, { message, position, by }: Finding): string {
  const line = lineAt(text, position)
  if (line === 0) return message
  return `line ${by === 'scanner' ? line + 1 : line}: ${message}`
}

const scanner = (message: string, position: number): Finding => ({ message, position, by: 'scanner' })
const parser = (message: string, position: number): Finding => ({ message, position, by: 'parser' })

function findingOf(text: string, { code, message, position }: YamlProblem): Finding {
  switch (code) {
    case 'TAB_AS_INDENT':
      return scanner(continuesPlainScalar(text, position) ? 'found a tab character that violates indentation' : NO_TOKEN, position)
    case 'BAD_SCALAR_START':
      return scanner(NO_TOKEN, position)
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return scanner('mapping values are not allowed in this context', nextColon(text, position))
    case 'BAD_DIRECTIVE':
      return scanner('found unknown directive name', position)
    case 'BAD_DQ_ESCAPE':
      return scanner('found unknown escape character', position)
    case 'MISSING_CHAR':
      return missingCharacter(text, message, position)
    case 'BAD_INDENT':
      return badIndent(text, message, position)
    case 'UNEXPECTED_TOKEN':
      return unexpectedToken(text, message, position)
    default:
      return parser(NO_NODE, position)
  }
}

const NO_TOKEN = 'found character that cannot start any token'
const NO_NODE = 'did not find expected node content'

function missingCharacter(text: string, message: string, position: number): Finding {
  if (/quote/.test(message)) return scanner('found unexpected end of stream', text.length)
  if (/^Flow /.test(message)) return unclosedFlow(text, message)
  return scanner("could not find expected ':'", endOfLine(text, position) + 1)
}

function badIndent(text: string, message: string, position: number): Finding {
  if (/^Flow /.test(message)) return unclosedFlow(text, message)
  return parser(/sequence/.test(message) ? "did not find expected '-' indicator" : 'did not find expected key', position)
}

/** A `{` or `[` that the text does not close. The parser notices at the end, which counts as a line of its own. */
function unclosedFlow(text: string, message: string): Finding {
  const content = text.trimEnd()
  const end = text.endsWith('\n') ? text : `${text}\n`
  const expectsNode = /[[{,:]$/.test(content)
  const close = /sequence/.test(message) ? "',' or ']'" : "',' or '}'"
  return { message: expectsNode ? NO_NODE : `did not find expected ${close}`, position: end.length, by: 'parser' }
}

function unexpectedToken(text: string, message: string, position: number): Finding {
  if (/Block scalar header/.test(message)) return scanner('did not find expected comment or line break', position)
  if (/block-seq-ind on same line/.test(message)) return scanner('block sequence entries are not allowed in this context', position)
  if (/in YAML stream/.test(message)) return parser('did not find expected <document start>', position)
  if (!/at node end/.test(message)) return parser(NO_NODE, position)
  const ownLine = text.slice(text.lastIndexOf('\n', position - 1) + 1, position).trim() === ''
  return parser(ownLine ? "did not find expected '-' indicator" : 'did not find expected key', position)
}

/** Whether the line before ends in the middle of a plain scalar, which the tab then seems to continue. */
function continuesPlainScalar(text: string, position: number): boolean {
  const before = text.slice(0, text.lastIndexOf('\n', position - 1) + 1).trimEnd()
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const value = line.replace(/^[\s-]*(?:[^:#]*:(?:\s+|$))?/, '')
  return value !== '' && !/^["'[{&*!|>#]|\s#/.test(value)
}

function nextColon(text: string, position: number): number {
  const found = text.slice(position).search(/:(?:\s|$)/)
  return found < 0 ? position : position + found
}

function endOfLine(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end < 0 ? text.length : end
}

/** The line, counted from zero. The empty line behind the end counts where the text goes on to it. */
function lineAt(text: string, position: number): number {
  let line = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++
  return position > text.length ? line + 1 : line
}
