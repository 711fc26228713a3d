/** Mistakes of a manifest that is no YAML are told once each, at their line, in words that say what to do. */
import { expect, it } from 'vitest'
import { parseManifest } from '../../src/app/manifests/documents'

const told = (text: string) => parseManifest(text).problems.map(({ startLine, message }) => `${startLine}: ${message}`)

it.each([
  ['metadata:\n  name: x\n    namespace: y\n', [/^2: .*begin at the same column/]],
  ['data:\n  note: a: b\n', [/^2: .*needs quotes/]],
  ['kind ConfigMap\nmetadata:\n  name: x\n', [/^1: a colon and a space are missing/]],
  ['apiVersion:v1\nkind: ConfigMap\n', [/^1: a colon and a space are missing/]],
  ['metadata:\n\tname: x\n', [/^2: a tab stands/]],
  ['a: *\n', [/^1: a value that begins with \*/]],
  // Its own words are plain.
  ['spec:\n    a: 1\n  b: 2\n', [/^3: All mapping items must start at the same column/]],
])('%j', (text, expected) => {
  const problems = told(text)
  expect(problems).toHaveLength(expected.length)
  for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern)
})
