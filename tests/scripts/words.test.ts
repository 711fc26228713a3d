/** The check of words finds avoided words in texts and identifiers, and nothing in messages that others wrote. */
// cspell:ignore behaviour
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { avoidedWords, findingsIn } from '../../scripts/words'

const avoided = avoidedWords(
  readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'),
)
const found = (text: string) => findingsIn(text, avoided).map(({ line, found }) => [line, found])

it.each([
  ['The server answers it.', [[1, 'answers']]],
  [
    'const askedPath = 1\nconst TOLD_ONCE = 2',
    [
      [1, 'asked'],
      [2, 'TOLD'],
    ],
  ],
  ['This is no pattern', [[1, 'is no ']]],
  ['behaviour', [[1, 'behaviour']]],
])('finds the avoided words of %j', (text, words) => {
  expect(found(text)).toEqual(words)
})

it.each([
  'Error: connection refused',
  'Edit cancelled, no changes made.',
  'there is no pod',
  'a task',
])('accepts %j', (text) => expect(found(text)).toEqual([]))

it('rejects a glossary without rows: the check could not fail', () => {
  expect(() => avoidedWords('# Glossary\n\n## Words to avoid\n')).toThrow('no rows')
})
