import type { TokenKind } from './lexer'
import { setOf, type TokenSet } from './token-reader'

const EXPRESSION: readonly TokenKind[] = [
  '[', '{', '(', '.', '-', '!', 'true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER',
] // biome-ignore format: one table

export const BEGINS = {
  expression: setOf(...EXPRESSION),
  operand: setOf(...EXPRESSION.filter((kind) => kind !== '!')),
  element: setOf('?', ...EXPRESSION),
  argumentsOrEnd: setOf(')', ...EXPRESSION),
  listOrEnd: setOf('?', ',', ']', ...EXPRESSION),
  mapOrEnd: setOf('?', ',', '}', ...EXPRESSION),
  fieldsOrEnd: setOf('?', ',', '}', 'IDENTIFIER'),
  field: setOf('?', 'IDENTIFIER'),
}

/** Higher binds tighter. */
export const LEVELS: Partial<Record<TokenKind, number>> = {
  '||': 0, '&&': 1, '<': 2, '<=': 2, '>=': 2, '>': 2, '==': 2, '!=': 2, in: 2, '+': 3, '-': 3, '*': 4, '/': 4, '%': 4,
} // biome-ignore format: one table
export const RELATION = 2
export const BINARY: TokenSet = new Set(Object.keys(LEVELS) as TokenKind[])
export const NOTHING = setOf()
const afterOperand = (...kinds: TokenKind[]): TokenSet => new Set([...BINARY, '.', '[', ...kinds])

/** What may follow an operand, by context. */
export const AFTER = {
  whole: afterOperand('?', '<EOF>'),
  nested: afterOperand('?', ')'),
  argument: afterOperand('?', ',', ')'),
  index: afterOperand('?', ']'),
  item: afterOperand('?', ',', ']'),
  key: afterOperand('?', ':'),
  value: afterOperand('?', ',', '}'),
  whenTrue: afterOperand(':'),
}

export const RESERVED: ReadonlySet<string> = new Set([
  'as', 'break', 'const', 'continue', 'else', 'false', 'for', 'function', 'if', 'import', 'in', 'let', 'loop', 'package', 'namespace',
  'null', 'return', 'true', 'var', 'void', 'while',
]) // biome-ignore format: one table

export const LITERAL_WORDS: Partial<Record<TokenKind, string>> = {
  NUM_INT: 'int',
  NUM_UINT: 'uint',
  NUM_FLOAT: 'double',
}

export const NUMBERS: TokenSet = setOf('NUM_INT', 'NUM_FLOAT')
