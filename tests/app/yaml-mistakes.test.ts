/** Each YAML syntax error is reported once, at its line, with a fix. */
import { expect, it } from 'vitest'
import { parseManifest } from '../../src/app/features/manifests/documents'

const mistakesIn = (text: string) =>
  parseManifest(text).problems.map(({ startLine, message }) => `${startLine}: ${message}`)

it.each([
  ['metadata:\n  name: x\n    namespace: y\n', [/^2: .*fix the indentation/]],
  ['data:\n  note: a: b\n', [/^2: .*quote a value/]],
  ['kind ConfigMap\nmetadata:\n  name: x\n', [/^1: missing ': ' after the key/]],
  ['apiVersion:v1\nkind: ConfigMap\n', [/^1: missing ': ' after the key/]],
  ['metadata:\n\tname: x\n', [/^2: tabs aren't allowed/]],
  ['a: *\n', [/^1: quote values that start with \*/]],
  // A non-breaking space becomes part of the key.
  ['metadata:\n\u00a0\u00a0name: x\n', [/^2: non-breaking space/]],
  ['spec:\n  ports:\n\u3000- port: 80\n', [/^3: non-breaking space/]],
  ['data: {"\u00a0a": b, c: "\u00a0"}\n', []],
  ['data:\n  text: |\n    a\n    \u00a0b: c\n', []],
  // An unclosed bracket is reported where it opens, not at the end of the file.
  ['a: 1\nregistry: [a.b/\nc: d\ne: f\n', [/^2: this \[ is never closed: a \] is missing$/]],
  ['a: [b, {c: d\ne: f\n', [/^1: this \{ is never closed: a \} is missing$/]],
  ['a: {\n  b: {c: [d, e}\n}\nf: g\n', [/^2: this \[ is never closed/]],
  ["a: 'b\nc: d\ne: f\n", [/^1: this ' is never closed: a ' is missing$/]],
  ['[', [/^1: this \[ is never closed/]],
  // What came along when the manifest was copied.
  ['```yaml\nkind: ConfigMap\n```\n', [/^1: ``` is Markdown/, /^3: ``` is Markdown/]],
  [
    'kind: A\n---\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n',
    [/^5: template placeholder/],
  ],
  [
    '{{- if .Values.on }}\nkind: ConfigMap\n{{- end }}\n',
    [/^1: template placeholder/, /^3: template placeholder/],
  ],
  ['name: "{{ .Release.Name }}"\n', []],
  ['$ kubectl apply -f - <<EOF\nkind: ConfigMap\n', [/^1: shell command/]],
  ['--- a/x.yaml\n+++ b/x.yaml\n', [/^1: this is a diff/]],
  ['{ "kind": "ConfigMap" // why\n}\n', [/^1: \/\/ is not a YAML comment/]],
  ['image: https://example.com // why\n', []],
  // The reader counts the lines of a document, a person those of the file.
  ['kind: A\n---\n# why\nkind: B\ndata: {[a]: b}\n', [/^4: .*invalid map key/]],
  // Its own words are plain.
  ['spec:\n    a: 1\n  b: 2\n', [/^3: All mapping items must start at the same column/]],
])('%j', (text, expected) => {
  const problems = mistakesIn(text)
  expect(problems).toHaveLength(expected.length)
  for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern)
})
