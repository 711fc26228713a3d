import { entryOf } from '../../../engine/core/object'
/** A shell's line editor, without a screen. */

export interface EditorLine {
  text: string
  /** Index of the character after the cursor. */
  cursor: number
}

export type EditorEvent =
  | { kind: 'changed' }
  | { kind: 'submit'; text: string }
  | { kind: 'complete' }
  | { kind: 'interrupt' }
  | { kind: 'clear' }
  | { kind: 'nothing' }

const CHANGED: EditorEvent = { kind: 'changed' }
const NOTHING: EditorEvent = { kind: 'nothing' }

/** @param isUnfinished whether a text continues after its last line */
export class LineEditor {
  line: EditorLine = { text: '', cursor: 0 }
  /** Of Ctrl-R; undefined without a search. */
  search: string | undefined
  private at: number | undefined
  private draft = ''
  private cutText = ''

  constructor(
    private readonly history: { lines(): readonly string[]; add(line: string): void },
    private readonly isUnfinished: (text: string) => boolean,
  ) {}

  set(text: string, cursor = text.length): void {
    this.line = { text, cursor }
  }

  /** @param key one character, or a terminal's key sequence */
  key(key: string): EditorEvent {
    if (this.search !== undefined) {
      const event = this.searchKey(key, this.search)
      if (event !== undefined) return event
    }
    const action = entryOf(KEYS, key)
    if (action !== undefined) return action(this)
    if (key.startsWith('\x1b') || /^\p{Cc}$/u.test(key)) return NOTHING
    this.insert(key)
    return CHANGED
  }

  insert(typed: string): void {
    const { text, cursor } = this.line
    this.set(text.slice(0, cursor) + typed + text.slice(cursor), cursor + typed.length)
  }

  submit(): EditorEvent {
    const { text } = this.line
    if (this.isUnfinished(text)) {
      this.set(`${text}\n`)
      return CHANGED
    }
    this.history.add(text)
    this.at = undefined
    this.set('')
    return { kind: 'submit', text }
  }

  interrupt(): EditorEvent {
    this.search = undefined
    this.at = undefined
    return { kind: 'interrupt' }
  }

  move(to: number): EditorEvent {
    this.line = { ...this.line, cursor: Math.max(0, Math.min(this.line.text.length, to)) }
    return CHANGED
  }

  /** @param keep whether Ctrl-Y can insert the deleted text */
  cut(to: number, keep = true): EditorEvent {
    const { text, cursor } = this.line
    const [start, end] =
      to < cursor ? [Math.max(0, to), cursor] : [cursor, Math.min(text.length, to)]
    if (start === end) return NOTHING
    if (keep) this.cutText = text.slice(start, end)
    this.set(text.slice(0, start) + text.slice(end), start)
    return CHANGED
  }

  paste(): EditorEvent {
    this.insert(this.cutText)
    return CHANGED
  }

  /** The start of the word before the cursor. @param part a character of a word */
  wordStart(part: RegExp): number {
    const characters = [...this.line.text.slice(0, this.line.cursor)]
    const isPart = (index: number) => part.test(characters[index] as string)
    let start = characters.length
    while (start > 0 && !isPart(start - 1)) start--
    while (start > 0 && isPart(start - 1)) start--
    return characters.slice(0, start).join('').length
  }

  wordEnd(): number {
    const { text, cursor } = this.line
    return cursor + (/^[^\p{L}\d]*[\p{L}\d]*/u.exec(text.slice(cursor))?.[0].length ?? 0)
  }

  /** @param by -1: the previous line */
  browse(by: 1 | -1): EditorEvent {
    const lines = this.history.lines()
    const from = this.at ?? lines.length
    const next = from + by
    if (next < 0 || next > lines.length) return NOTHING
    if (this.at === undefined) this.draft = this.line.text
    this.at = next === lines.length ? undefined : next
    this.set(this.at === undefined ? this.draft : (lines[this.at] as string))
    return CHANGED
  }

  /** @param before finds an older line than this */
  find(text: string, before = Number.POSITIVE_INFINITY): number {
    return text === ''
      ? -1
      : this.history.lines().findLastIndex((line, index) => index < before && line.includes(text))
  }

  private searchKey(key: string, search: string): EditorEvent | undefined {
    if (key === '\x12') return this.show(search, this.find(search, this.at))
    if (key === '\x7f' || key === '\b')
      return this.show(search.slice(0, -1), this.find(search.slice(0, -1)))
    if (key === '\x07' || key === '\x1b') {
      this.search = undefined
      this.at = undefined
      this.set(this.draft)
      return CHANGED
    }
    if (key.length === 1 && key >= ' ') return this.show(search + key, this.find(search + key))
    // Any other key accepts the match, then acts as usual.
    this.search = undefined
    return key === '\x1b[C' || key === '\x1b[D' ? CHANGED : undefined
  }

  private show(search: string, index: number): EditorEvent {
    this.search = search
    if (index < 0) return CHANGED
    this.at = index
    const text = this.history.lines()[index] as string
    this.set(text, text.indexOf(search))
    return CHANGED
  }

  startSearch(): EditorEvent {
    this.draft = this.line.text
    this.at = undefined
    this.search = ''
    return CHANGED
  }
}

/** Words between spaces. */
const BIG_WORD = /\S/
/** Words of letters and digits. */
const WORD = /[\p{L}\d]/u

type Action = (editor: LineEditor) => EditorEvent

const home: Action = (editor) =>
  editor.move(editor.line.text.lastIndexOf('\n', editor.line.cursor - 1) + 1)
const end: Action = (editor) => {
  const newline = editor.line.text.indexOf('\n', editor.line.cursor)
  return editor.move(newline < 0 ? editor.line.text.length : newline)
}
const left: Action = (editor) => editor.move(editor.line.cursor - 1)
const right: Action = (editor) => editor.move(editor.line.cursor + 1)
const older: Action = (editor) => editor.browse(-1)
const newer: Action = (editor) => editor.browse(1)
const wordLeft: Action = (editor) => editor.move(editor.wordStart(WORD))
const wordRight: Action = (editor) => editor.move(editor.wordEnd())
const backspace: Action = (editor) => editor.cut(editor.line.cursor - 1, false)
const deleteNext: Action = (editor) => editor.cut(editor.line.cursor + 1, false)

const KEYS: Record<string, Action> = {
  '\r': (editor) => editor.submit(),
  '\n': (editor) => editor.submit(),
  '\t': () => ({ kind: 'complete' }),
  '\x7f': backspace,
  '\b': backspace,
  '\x1b[3~': deleteNext,
  '\x04': deleteNext,
  '\x1b[D': left,
  '\x1bOD': left,
  '\x02': left,
  '\x1b[C': right,
  '\x1bOC': right,
  '\x06': right,
  '\x1b[A': older,
  '\x1bOA': older,
  '\x10': older,
  '\x1b[B': newer,
  '\x1bOB': newer,
  '\x0e': newer,
  '\x1b[H': home,
  '\x1bOH': home,
  '\x1b[1~': home,
  '\x01': home,
  '\x1b[F': end,
  '\x1bOF': end,
  '\x1b[4~': end,
  '\x05': end,
  '\x1b[1;5D': wordLeft,
  '\x1b[1;3D': wordLeft,
  '\x1bb': wordLeft,
  '\x1b[1;5C': wordRight,
  '\x1b[1;3C': wordRight,
  '\x1bf': wordRight,
  '\x15': (editor) => editor.cut(0),
  '\x0b': (editor) => editor.cut(editor.line.text.length),
  '\x17': (editor) => editor.cut(editor.wordStart(BIG_WORD)),
  '\x1b\x7f': (editor) => editor.cut(editor.wordStart(WORD)),
  '\x1bd': (editor) => editor.cut(editor.wordEnd()),
  '\x19': (editor) => editor.paste(),
  '\x12': (editor) => editor.startSearch(),
  '\x03': (editor) => editor.interrupt(),
  '\x0c': () => ({ kind: 'clear' }),
}

const ESCAPE = '\x1b'
const SEQUENCE = /^.(?:\[[\d;]*[A-Za-z~]|O[A-Z]|[^[O])?/su
const SIGN = /^./su

/** One chunk of terminal input can contain several keys or a paste. */
export function keysOf(data: string): string[] {
  const keys: string[] = []
  let rest = data.replaceAll('\r\n', '\r')
  while (rest !== '') {
    const [key] = (rest.startsWith(ESCAPE) ? SEQUENCE : SIGN).exec(rest) ?? [rest]
    keys.push(key)
    rest = rest.slice(key.length)
  }
  return keys
}
