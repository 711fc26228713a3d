/** What is marked in an editor of a text: what does not read, at its place. */
import { expect, it } from 'vitest'
import { readingProblems } from '../../src/app/features/manifests/reading-problems'

/** Each problem's message, and the text that it marks. */
const marked = (text: string, of?: 'objects' | 'values') =>
  readingProblems(text, of).map(({ message, start, end }) => [message, text.slice(start, end)])

const NO_OBJECT = 'not a Kubernetes object: expected apiVersion, kind and metadata'

it.each(['- name: most\n  expression: "1"\n', 'three', '3', 'a: 1\nb: [1, 2]\n'])(
  'takes %j for a value',
  (text) => {
    expect(marked(text, 'values')).toEqual([])
  },
)

it('marks a list where objects of the cluster belong', () => {
  expect(marked('- name: most')).toEqual([[NO_OBJECT, '- name: most']])
})

it.each(['objects', 'values'] as const)('marks a duplicate key among %s', (of) => {
  const problems = marked('a: 1\nb: 2\na: 3\n', of)
  expect(problems).toHaveLength(1)
  expect(problems[0]?.[1]).toMatch(/^a/)
})

it('marks nothing in a text that is empty or only a remark', () => {
  expect(marked('', 'values')).toEqual([])
  expect(marked('# none\n')).toEqual([])
})
