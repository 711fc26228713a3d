/**
 * Common mistakes in manifests, with the messages and lines of sigs.k8s.io/yaml in release 1.31.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toYaml } from '../../src/engine/encoding/yaml'
import { readYaml, YamlSyntaxError } from '../../src/engine/schema/yaml/reader'

const MANIFEST = `apiVersion: v1
kind: Pod
metadata:
  name: bakery
  labels:
    app: bakery
spec:
  containers:
  - name: oven
    image: "oven:3"
    args: [bake, --hot]
    env:
    - name: MODE
      value: 'slow'
    resources: {limits: {cpu: 1}}
  restartPolicy: Never
`

/** @param line starts at 1 @param text the new line; undefined removes it */
const withLine = (line: number, ...text: string[]): string =>
  MANIFEST.split('\n')
    .toSpliced(line - 1, 1, ...text)
    .join('\n')

const messageOf = (text: string): string => {
  try {
    return JSON.stringify(readYaml(text).value)
  } catch (error) {
    if (error instanceof YamlSyntaxError) return error.message
    throw error
  }
}

describe('a mistake in a manifest', () => {
  it.each<[what: string, line: number, text: string[], message: string]>([
    ['no colon', 2, ['kind Pod'], "yaml: line 3: could not find expected ':'"],
    ['no space behind the colon', 2, ['kind:Pod'], "yaml: line 3: could not find expected ':'"],
    [
      'no space behind the colon of a map',
      3,
      ['metadata:name: x'],
      'yaml: line 4: mapping values are not allowed in this context',
    ],
    [
      'an equals sign',
      4,
      ['  name = bakery'],
      'yaml: line 5: mapping values are not allowed in this context',
    ],
    [
      'two values',
      4,
      ['  name: bakery: shop'],
      'yaml: line 4: mapping values are not allowed in this context',
    ],
    [
      'an item where a value is',
      4,
      ['  name: - bakery'],
      'yaml: line 4: block sequence entries are not allowed in this context',
    ],
    [
      'a key too far right',
      6,
      ['     app: bakery', '    tier: front'],
      'yaml: line 6: did not find expected key',
    ],
    ['a key too far left', 5, [' labels:'], 'yaml: line 4: did not find expected key'],
    [
      'a value under a key that has one',
      5,
      ['  labels: none'],
      'yaml: line 6: mapping values are not allowed in this context',
    ],
    [
      'an item that is not indented as the others',
      13,
      ['   - name: MODE'],
      'yaml: line 12: did not find expected key',
    ],
    [
      'an item without its dash',
      9,
      ['  name: oven'],
      'yaml: line 10: mapping values are not allowed in this context',
    ],
    [
      'an item without a space',
      9,
      ['  -name: oven'],
      'yaml: line 10: mapping values are not allowed in this context',
    ],
    [
      'a list behind the keys of a map',
      6,
      ['    app: bakery', '    - more'],
      'yaml: line 6: did not find expected key',
    ],
    [
      'a key behind the items of a list',
      13,
      ['    - name: MODE', '    value: x'],
      'yaml: line 15: mapping values are not allowed in this context',
    ],
    ['a tab', 4, ['\tname: bakery'], 'yaml: line 4: found character that cannot start any token'],
    [
      'a tab under a value',
      5,
      ['\tlabels:'],
      'yaml: line 5: found a tab character that violates indentation',
    ],
    [
      'a quote that is not closed',
      10,
      ['    image: "oven:3'],
      'yaml: line 17: found unexpected end of stream',
    ],
    [
      'something behind a quote',
      10,
      ['    image: "oven":3'],
      'yaml: line 9: did not find expected key',
    ],
    [
      'a word behind a quote',
      10,
      ['    image: "oven" three'],
      'yaml: line 9: did not find expected key',
    ],
    [
      'an unknown escape',
      10,
      ['    image: "oven\\d"'],
      'yaml: line 10: found unknown escape character',
    ],
    [
      'a list that is not closed',
      11,
      ['    args: [bake, --hot'],
      "yaml: line 11: did not find expected ',' or ']'",
    ],
    [
      'a list that is closed twice',
      11,
      ['    args: [bake, --hot]]'],
      'yaml: line 10: did not find expected key',
    ],
    [
      'a list without its comma',
      11,
      ['    args: ["bake" "--hot"]'],
      "yaml: line 10: did not find expected ',' or ']'",
    ],
    [
      'a map that is not closed',
      15,
      ['    resources: {limits: {cpu: 1}'],
      "yaml: line 15: did not find expected ',' or '}'",
    ],
    [
      'an at sign',
      4,
      ['  name: @bakery'],
      'yaml: line 4: found character that cannot start any token',
    ],
    [
      'a percent sign',
      4,
      ['  name: %bakery'],
      'yaml: line 4: found character that cannot start any token',
    ],
    [
      'an asterisk',
      4,
      ['  name: *'],
      'yaml: line 4: did not find expected alphabetic or numeric character',
    ],
    ['the name of no anchor', 4, ['  name: *bakery'], "yaml: unknown anchor 'bakery' referenced"],
    [
      'a template',
      4,
      ['  name: {{ .Values.name }}'],
      'yaml: invalid map key: map[interface {}]interface {}{".Values.name":interface {}(nil)}',
    ],
    [
      'a template that begins a line',
      4,
      ['{{- if .Values.name }}', '  name: bakery'],
      "yaml: line 5: could not find expected ':'",
    ],
    [
      'a conflict that was not solved',
      4,
      ['<<<<<<< HEAD', '  name: bakery'],
      "yaml: line 5: could not find expected ':'",
    ],
    [
      'a text behind a block mark',
      4,
      ['  name: |bakery'],
      'yaml: line 4: did not find expected comment or line break',
    ],
    [
      'a type that differs from its tag',
      4,
      ['  name: !!int bakery'],
      'yaml: cannot decode !!str `bakery` as a !!int',
    ],
    ['a key without a name', 4, ['  : bakery'], 'yaml: line 3: did not find expected key'],
  ])('%s', (_, line, text, message) => {
    expect(messageOf(withLine(line, ...text))).toBe(message)
  })

  it('reports a line of the text, whatever the text is', () => {
    const pieces = [
      'a',
      ': ',
      '- ',
      '? ',
      '\n',
      '\n  ',
      '\t',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '&a ',
      '*a',
      '!!int ',
      '|',
      '>-\n',
      '#',
      '---',
      '%',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (chosen) => {
        const text = chosen.join('')
        const reported = messageOf(text)
        const line = /^yaml: line (\d+): \w/.exec(reported)?.[1]
        // Parsed values survive another round trip; an error names a line of the text, including
        // the one after its end.
        if (line !== undefined)
          expect(Number(line)).toBeLessThanOrEqual(text.split('\n').length + 1)
        else if (!/^(?:yaml|json|unsupported)/.test(reported))
          expect(messageOf(toYaml({ value: JSON.parse(reported) }))).toBe(`{"value":${reported}}`)
      }),
      { numRuns: 2000 },
    )
  })
})
