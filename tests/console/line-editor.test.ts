/** The line editor of the console, key by key. */
import { describe, expect, it } from 'vitest'
import { keysOf, LineEditor } from '../../src/app/features/console/line-editor'
import { harmless, Screen } from '../../src/app/features/console/screen'
import { isUnfinished } from '../../src/console/line'

const UP = '\x1b[A'
const DOWN = '\x1b[B'
const LEFT = '\x1b[D'

function editor(...history: string[]) {
  const one = new LineEditor(
    { lines: () => history, add: (line) => void history.push(line) },
    isUnfinished,
  )
  const submitted: string[] = []
  const type = (data: string) => {
    for (const key of keysOf(data)) {
      const event = one.key(key)
      if (event.kind === 'submit') submitted.push(event.text)
    }
    return `${one.line.text.slice(0, one.line.cursor)}|${one.line.text.slice(one.line.cursor)}`
  }
  return { type, submitted, one, history }
}

describe('keys', () => {
  it.each([
    ['get pods', 'get pods|'],
    [`pods${LEFT}${LEFT}X`, 'poX|ds'],
    ['get pods\x01kubectl ', 'kubectl |get pods'],
    ['get pods\x01\x05!', 'get pods!|'],
    ['get pods\x7f\x7f', 'get po|'],
    ['get pods  \x17', 'get |'],
    ['get pods -n x\x1b\x7f', 'get pods -n |'],
    [`get pods${LEFT.repeat(4)}\x0b`, 'get |'],
    [`get pods${LEFT.repeat(4)}\x15`, '|pods'],
    ['get pods\x15describe \x19', 'describe get pods|'],
    ['get deployment/web\x1bb\x1bbX', 'get X|deployment/web'],
    ['a\x1b[3~b', 'ab|'],
    [`ab${LEFT}${LEFT}\x1b[3~`, '|b'],
    ['a\x1b[15~b\x00', 'ab|'],
  ])('%j', (data, expected) => {
    expect(editor().type(data)).toBe(expected)
  })

  it('Enter submits the line and adds it to the history', () => {
    const { type, submitted, history } = editor()
    expect([type('get pods\r'), submitted, history]).toEqual(['|', ['get pods'], ['get pods']])
  })

  it('Enter continues an incomplete line, including pasted lines', () => {
    const { type, submitted } = editor()
    type('cat <<EOF | grep a\r\na\r\nb\r\nEOF\r\nget pods \\\r\n  -A\r\n')
    expect(submitted).toEqual(['cat <<EOF | grep a\na\nb\nEOF', 'get pods \\\n  -A'])
  })

  it('↑ and ↓ navigate the history and return to the draft', () => {
    const { type } = editor('get pods', 'get nodes')
    expect([type(`beg${UP}`), type(UP), type(UP), type(DOWN), type(DOWN)]).toEqual([
      'get nodes|',
      'get pods|',
      'get pods|',
      'get nodes|',
      'beg|',
    ])
  })

  it('Ctrl-R searches the history', () => {
    const { type, one, submitted } = editor('get pods', 'describe pod web', 'get nodes')
    expect(type('\x12pod')).toBe('describe |pod web')
    expect(type('\x12')).toBe('get |pods')
    expect(one.search).toBe('pod')
    type('\r')
    expect([submitted, one.search]).toEqual([['get pods'], undefined])
    expect(type('begun\x12node\x1b')).toBe('begun|')
  })
})

describe('the screen', () => {
  const drawn = (text: string, cursor: number, columns: number) => {
    let written = ''
    const screen = new Screen(
      (part) => {
        written += part
      },
      () => columns,
    )
    screen.draw({ text: '$ ', drawn: '$ ' }, text, cursor)
    return written
  }

  it('puts the cursor at the edit position', () => {
    expect(drawn('get', 3, 80)).toBe('\r\x1b[J$ get\r\x1b[5C')
    expect(drawn('get', 0, 80)).toBe('\r\x1b[J$ get\r\x1b[2C')
    expect(drawn('abcdef', 1, 4)).toBe('\r\x1b[J$ abcdef \r\x1b[2A\r\x1b[3C')
    expect(drawn('a\nb', 3, 80)).toBe('\r\x1b[J$ a\r\n> b\r\x1b[3C')
  })

  it('strips or replaces terminal control sequences', () => {
    expect(harmless('a\x1b[31mred\x1b[0m\nb')).toBe('ared\r\nb')
    expect(harmless('\x1b]0;title\x07\x1b[2J')).toBe('␛]0;title␇␛[2J')
    expect(harmless('right\u202eleft')).toBe('right\ufffdleft')
  })
})
