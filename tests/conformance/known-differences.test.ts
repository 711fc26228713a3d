import { describe, expect, it } from 'vitest'
import {
  evaluate,
  formatDifferences,
  parseDifferences,
  type RecordingResult,
  stepKeys,
} from './known-differences'
import type { Level } from './replay'

const LIST = `# Known.

[recordings/a]
first: get put
second: *
`

const recording = (name: string, levels: Record<string, Level>): RecordingResult => ({
  file: 'recordings/a',
  name,
  steps: Object.entries(levels).map(([id, level]) => ({
    id,
    level,
    status: 200,
    expectedStatus: 200,
    differences: level === 'same' ? [] : ['body: …'],
  })),
})

describe('the list of known differences', () => {
  const { byFile, comments } = parseDifferences(LIST)

  it('holds when exactly the listed exchanges differ', () => {
    const verdict = evaluate(
      [
        recording('first', { get: 'body', put: 'status', list: 'same' }),
        recording('second', { a: 'error' }),
      ],
      byFile,
      true,
    )
    expect(verdict).toEqual({ identical: 1, known: 3, unexpected: [], stale: [] })
  })

  it('names an exchange that differs and is not listed', () => {
    const verdict = evaluate(
      [recording('first', { get: 'body', put: 'body', list: 'body' })],
      byFile,
      false,
    )
    expect(verdict.unexpected.map(({ where }) => where)).toEqual(['recordings/a first list'])
  })

  it('names a listed exchange that became right', () => {
    const verdict = evaluate([recording('first', { get: 'same', put: 'body' })], byFile, false)
    expect(verdict.stale).toEqual(['recordings/a first get'])
  })

  it('names listed steps and recordings that do not exist', () => {
    expect(evaluate([recording('first', { get: 'body' })], byFile, true).stale).toEqual([
      'recordings/a first put',
      'recordings/a second',
    ])
  })

  it('removes entries that match now, and adds none without the flag', () => {
    const results = [
      recording('first', { get: 'same', put: 'body', list: 'body' }),
      recording('second', { a: 'body', b: 'body' }),
    ]
    expect(formatDifferences(comments, results, byFile, () => false)).toBe(
      '# Known.\n\n[recordings/a]\nfirst: put\nsecond: *\n',
    )
    expect(
      formatDifferences(comments, results, byFile, (name) => name === 'recordings/a/first'),
    ).toBe('# Known.\n\n[recordings/a]\nfirst: put list\nsecond: *\n')
  })

  it('reads back what it writes', () => {
    const results = [
      recording('first', { get: 'body', put: 'body', list: 'same' }),
      recording('second', { a: 'body' }),
    ]
    expect(formatDifferences(comments, results, byFile, () => false)).toBe(LIST)
  })

  it('distinguishes steps of the same id', () => {
    expect(stepKeys(['s1', 's2', 's1', 's1'])).toEqual(['s1', 's2', 's1#2', 's1#3'])
  })

  it('rejects a line of another format, naming it', () => {
    expect(() => parseDifferences('[a]\nno colon here')).toThrow('line 2')
  })
})
