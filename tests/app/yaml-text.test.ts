/** What the page writes as YAML is read again as what it was: by the page, which reads as kubectl does, and by the import of a file. */
import { property, assert as propertyHolds, string, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { objectText } from '../../src/app/features/editor/object-lines'
import { yamlText } from '../../src/app/features/manifests/yaml'
import { fromYamlFile, releaseOfFile, toYamlFile } from '../../src/app/features/share/cluster-file'
import type { KubeObject } from '../../src/engine/core/object'
import { readYaml } from '../../src/engine/schema/yaml/reader'

/** Plain, these would be truth values, numbers, times or nothing to one reader or another. */
const OTHERWISE = [
  ...['yes', 'No', 'on', 'OFF', 'y', 'N', 'true', 'null', '~', '', '='],
  ...[
    '012',
    '0o14',
    '-0o7',
    '0x1F',
    '0b11',
    '1_000',
    '1e3',
    '.5',
    '+1',
    '.inf',
    '.nan',
    '12:30:45',
    '190:20:30.15',
  ],
  ...[
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '- a',
    'a: b',
    'a #b',
    '# a',
    '*a',
    '&a',
    '!a',
    '{a',
    '[a',
    '---',
    '@a',
    '%a',
  ],
]

const configMap = (value: string): KubeObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'words', creationTimestamp: '2026-01-01T00:00:00Z' },
  data: { value, list: `${value}\n`, [value === '' ? 'k' : value]: 'key' },
})

const back = (value: string): unknown => readYaml(objectText(configMap(value))).value

describe('texts of objects', () => {
  it.each(OTHERWISE)('stay texts: %j', (value) => {
    expect(back(value)).toEqual(configMap(value))
    expect(fromYamlFile(toYamlFile([configMap(value), configMap('plain')]))).toEqual([
      configMap(value),
      configMap('plain'),
    ])
  })

  it('keep the release of an exported cluster', () => {
    const file = toYamlFile([configMap('a')], '1.35')
    expect(releaseOfFile(file)).toBe('1.35')
    expect(fromYamlFile(file)).toEqual([configMap('a')])
    expect(releaseOfFile(toYamlFile([configMap('# A cluster of Kubernetes 1.35')]))).toBeUndefined()
    expect(releaseOfFile('# A cluster of Kubernetes 9.9\n')).toBeUndefined()
  })

  it('stay what they are, whatever they are', () => {
    const value = stringMatching(/^[-+.:_0-9abefinoxyNOTZ~=]{0,8}$/)
    propertyHolds(property(value, (text) => void expect(back(text)).toEqual(configMap(text))))
    propertyHolds(
      property(
        string(),
        (text) => void expect(readYaml(yamlText({ text })).value).toEqual({ text }),
      ),
    )
  })
})

it('is written a value a line, and numbers and truth values as themselves', () => {
  expect(
    yamlText({ spec: { replicas: 3, paused: false, ports: [{ port: 80 }], selector: {} } }),
  ).toBe('spec:\n  replicas: 3\n  paused: false\n  ports:\n    - port: 80\n  selector: {}\n')
})
