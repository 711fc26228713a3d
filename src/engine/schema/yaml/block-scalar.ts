/** `|` keeps lines, `>` folds them (YAML 1.1, section 9.2). */

import { GREATER, HASH, isBlank, isBreak, MINUS, PLUS, SPACE, TAB } from './chars'
import type { Cursor } from './cursor'
import { scannerProblem } from './errors'

interface Header {
  /** Final line breaks: `-` strips all, `+` keeps all, otherwise one remains. */
  chomping: 'strip' | 'clip' | 'keep'
  indent: number | undefined
}

/**
 * @param parent column of the enclosing collection; -1 outside any
 * @throws YamlSyntaxError
 */
export function blockScalar(cursor: Cursor, parent: number): string {
  const folds = cursor.char === GREATER
  cursor.skip()
  const { chomping, indent: stated } = header(cursor)
  const lines = new BlockLines(cursor, parent, stated)
  let value = ''
  let breaks = lines.emptyLines()
  let lastBreak = ''
  let wasIndented = false
  while (cursor.column === lines.indent && !cursor.atEnd) {
    const isIndented = isBlank(cursor.char)
    // Folds only breaks between lines without additional indentation.
    const joins = folds && lastBreak === '\n' && !wasIndented && !isIndented
    value += joins ? (breaks === '' ? ' ' : breaks) : lastBreak + breaks
    wasIndented = isIndented
    const begin = cursor.at
    cursor.skipComment()
    value += cursor.text.slice(begin, cursor.at)
    lastBreak = cursor.atEnd ? '' : cursor.skipBreak()
    breaks = lines.emptyLines()
  }
  if (chomping === 'strip') return value
  return value + lastBreak + (chomping === 'keep' ? breaks : '')
}

function header(cursor: Cursor): Header {
  let chomping: Header['chomping'] = 'clip'
  let indent: number | undefined
  const chomp = () => {
    if (cursor.char !== PLUS && cursor.char !== MINUS) return
    chomping = cursor.char === PLUS ? 'keep' : 'strip'
    cursor.skip()
  }
  chomp()
  const digit = /\d/y
  digit.lastIndex = cursor.at
  if (digit.test(cursor.text)) {
    indent = Number(cursor.text.charAt(cursor.at))
    if (indent === 0) throw scannerProblem('found an indentation indicator equal to 0', cursor.line)
    cursor.skip()
    if (chomping === 'clip') chomp()
  }
  cursor.skipBlanks()
  if (cursor.char === HASH) cursor.skipComment()
  if (!cursor.atEnd) {
    if (!isBreak(cursor.char))
      throw scannerProblem('did not find expected comment or line break', cursor.line)
    cursor.skipBreak()
  }
  return { chomping, indent }
}

class BlockLines {
  /** 0 until detected. */
  indent: number

  constructor(
    private readonly cursor: Cursor,
    private readonly parent: number,
    stated: number | undefined,
  ) {
    this.indent = stated === undefined ? 0 : Math.max(parent, 0) + stated
  }

  /** Skips empty lines and the next line's indentation. @returns the breaks */
  emptyLines(): string {
    const { cursor } = this
    let breaks = ''
    let widest = 0
    for (;;) {
      while (this.isBefore && cursor.char === SPACE) cursor.skip()
      widest = Math.max(widest, cursor.column)
      if (this.isBefore && cursor.char === TAB) {
        throw scannerProblem(
          'found a tab character where an indentation space is expected',
          cursor.line,
        )
      }
      if (!isBreak(cursor.char)) break
      breaks += cursor.skipBreak()
    }
    if (this.indent === 0) this.indent = Math.max(widest, this.parent + 1, 1)
    return breaks
  }

  private get isBefore(): boolean {
    return this.indent === 0 || this.cursor.column < this.indent
  }
}
