import fc from 'fast-check'
import { expect } from 'vitest'
import { parseManifest } from '../../../src/app/features/manifests/documents'
import { fromYamlFile } from '../../../src/app/features/share/cluster-file'
import { MOST_NESTED, nestsDeeper } from '../../../src/engine/schema/nesting'
import { readYaml, YamlSyntaxError } from '../../../src/engine/schema/yaml/reader'
import { type FuzzTarget, NAMES, nested, read } from './target'
import { deepJsonText, jsonText, mutated, pieces } from './texts'

const CHARACTERS = [
  'a: ', 'b: 1', '- ', '\n', '\n  ', '\n    ', '---\n', '...\n', '&a ', '*a', '&b ', '*b', '<<: *a', '<<: [*a, *b]', '<<: ', '{', '}', '[', ']', ',', ': ', '? ',
  '|\n', '>-\n', '"', "'", '#', '!!str ', '!!binary ', '!!int ', '!!float ', '!!set ', '!x ', '!<tag:x> ', '%YAML 1.2\n', '%TAG ! x\n', '0x', '0b1', '1_0', '.inf', '.nan',
  'yes', '~', '2001-01-01', '1:20', '\t', '\r\n', '\u0001', '\ufeff', '\u2028', '@', '`', 'x'.repeat(1000), '9'.repeat(400), ...NAMES.map((name) => `${name}: `),
] // biome-ignore format: one table

/** Anchors that multiply: each level repeats the one before, by aliases, merges or both. */
const bomb = fc
  .record({
    levels: fc.integer({ min: 1, max: 30 }),
    width: fc.integer({ min: 1, max: 9 }),
    how: fc.constantFrom('list', 'map', 'merge', 'nest'),
  })
  .map(({ levels, width, how }) => {
    const repeat = (of: number): string => {
      const aliases = Array.from({ length: width }, () => `*a${of}`)
      if (how === 'list') return `[${aliases.join(', ')}]`
      if (how === 'map') return `{${aliases.map((alias, i) => `k${i}: ${alias}`).join(', ')}}`
      if (how === 'merge') return `{<<: [${aliases.join(', ')}], k${of}: 1}`
      return nested('[', ']', 60, `*a${of}`)
    }
    return [
      'a0: &a0 {x: 1}',
      ...Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} ${repeat(i)}`),
    ].join('\n')
  })

const deepYaml = fc
  .tuple(
    fc.constantFrom('- ', '? ', 'a: ', '{a: ', '[', '!!str ', '&a '),
    fc.constantFrom(30, 600, 3_000),
  )
  .map(([sign, levels]) => sign.repeat(levels))

export const yamlText = fc.oneof(
  { weight: 6, arbitrary: pieces(CHARACTERS, 30) },
  { weight: 3, arbitrary: mutated(jsonText, CHARACTERS) },
  { weight: 2, arbitrary: mutated(bomb, CHARACTERS) },
  { weight: 1, arbitrary: deepYaml },
  { weight: 1, arbitrary: deepJsonText },
)

/** So many values a document may unfold to at most: as many as its own nodes, or four millions of which a tenth are its own. */
function valuesIn(value: unknown): number {
  let values = 0
  for (const waiting = [value]; waiting.length > 0; ) {
    const next = waiting.pop()
    values++
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next))
  }
  return values
}

export const yaml: FuzzTarget = {
  name: 'yaml',
  what: 'YAML bodies: anchors, bombs, tags, keys, documents',
  short: 250,
  property: fc.property(yamlText, (text) => {
    const found = read(() => readYaml(text), [YamlSyntaxError])
    if (found === undefined) return
    expect(nestsDeeper(found.value, MOST_NESTED)).toBe(false)
    expect(valuesIn(found.value)).toBeLessThan(450_000)
    expect(() => JSON.stringify(found.value)).not.toThrow()
  }),
}

export const files: FuzzTarget = {
  name: 'files',
  what: "files that are imported, and the editor's manifests",
  short: 120,
  property: fc.property(yamlText, (text) => {
    const found = read(() => fromYamlFile(text), [Error])
    for (const object of found ?? [])
      expect([typeof object.kind, typeof object.apiVersion, typeof object.metadata.name]).toEqual(
        Array(3).fill('string'),
      )
    const { documents, problems } = parseManifest(text)
    for (const { value } of documents) expect(nestsDeeper(value, MOST_NESTED)).toBe(false)
    for (const { message } of problems)
      expect(message).not.toMatch(/call stack|undefined|is not a function/)
  }),
}
