import { describe, expect, it } from 'vitest'
import { checkSource, checkTable, layerOf } from '../../scripts/check-imports'
import { LAYERS, type Layer } from '../../scripts/import-rules'

const ROOMS_OF_A_HOUSE: Layer[] = [
  {
    name: 'cellar',
    paths: ['engine/cellar/', 'engine/hall/stairs.ts'],
    imports: [],
    packages: ['yaml'],
    pure: true,
  },
  { name: 'hall', paths: ['engine/hall/'], imports: ['cellar'], packages: [], pure: true },
  { name: 'roof', paths: ['app/'], imports: ['hall'], packages: ['*'], pure: false },
]

/** Resolves imports of a file in a folder two levels below src. */
const fromFolder = (folder: string) => (specifier: string) =>
  `${new URL(specifier, `file:///${folder}/`).pathname.slice(1)}.ts`
const rulesBroken = (path: string, source: string) =>
  checkSource(path, source, fromFolder(path.slice(0, path.lastIndexOf('/'))), ROOMS_OF_A_HOUSE).map(
    ({ line, rule }) => `${line}: ${rule}`,
  )

describe('the layers of the house', () => {
  it('are distinguished by the longest path', () => {
    expect(layerOf('engine/hall/door.ts', ROOMS_OF_A_HOUSE)?.name).toBe('hall')
    expect(layerOf('engine/hall/stairs.ts', ROOMS_OF_A_HOUSE)?.name).toBe('cellar')
    expect(layerOf('garden/tree.ts', ROOMS_OF_A_HOUSE)).toBeUndefined()
  })

  it('have an order without cycles', () => {
    expect(checkTable(LAYERS)).toEqual([])
    expect(checkTable([...ROOMS_OF_A_HOUSE].reverse())).toEqual([
      'roof imports hall, which is not earlier in the table',
      'hall imports cellar, which is not earlier in the table',
    ])
  })
})

describe('imports', () => {
  it('may point downwards', () => {
    expect(
      rulesBroken(
        'engine/hall/door.ts',
        "import { jar } from '../cellar/jar'\nimport { stairs } from './stairs'",
      ),
    ).toEqual([])
  })

  it.each([
    ["import { roof } from '../hall/door'", 'a value'],
    ["import type { Roof } from '../hall/door'", 'a type'],
    ["export * from '../hall/door'", 'a re-export'],
    ["const door = import('../hall/door')", 'a dynamic import'],
    ["let door: import('../hall/door').Door", 'a type in place'],
  ])('may not point upwards: %s', (statement) => {
    expect(rulesBroken('engine/cellar/jar.ts', `\n${statement}`)).toEqual([
      '2: cellar may not import hall (engine/hall/door.ts)',
    ])
  })

  it('of the types that a running server hands down are free, of its code not', () => {
    const inRooms = (source: string) =>
      checkSource('engine/storage/memory.ts', source, fromFolder('engine/storage'), LAYERS)
    expect(inRooms("import type { Engine } from '../registry/engine'")).toEqual([])
    expect(inRooms("import { Engine } from '../registry/engine'")).toHaveLength(1)
  })

  it('may name only the packages of the layer', () => {
    expect(rulesBroken('engine/cellar/jar.ts', "import { parse } from 'yaml'")).toEqual([])
    expect(rulesBroken('engine/cellar/jar.ts', "import fs from 'node:fs'")).toEqual([
      '1: cellar may not import the package node:fs',
    ])
    expect(rulesBroken('app/page.ts', "import fs from 'node:fs'")).toEqual([])
    expect(
      rulesBroken('engine/cellar/jar.ts', "import type { Pod } from 'kubernetes-types/core/v1'"),
    ).toEqual([])
    expect(
      rulesBroken('engine/cellar/jar.ts', "import { Pod } from 'kubernetes-types/core/v1'"),
    ).toHaveLength(1)
  })

  it('must be of a layer', () => {
    expect(rulesBroken('engine/attic/box.ts', '')).toEqual([
      '1: no layer of scripts/import-rules.ts claims this file',
    ])
  })
})

describe('pure layers', () => {
  it.each([
    'const t = Date.now()',
    'const t = new Date()',
    'const r = Math.random()',
    'setTimeout(run, 1)',
    'const later = setTimeout',
    'globals(performance.now())',
    'const title = document.title',
    'const text = Buffer.from([])',
    'crypto.getRandomValues(bytes)',
    'const all = { process }',
  ])('rejects %s', (source) => {
    expect(rulesBroken('engine/cellar/jar.ts', source)).toHaveLength(1)
  })

  it.each([
    'const t = new Date(clock.now())',
    'const half = Math.round(0.5)',
    'const setTimeout = clock.after; setTimeout(1)',
    'function write(document: string) { return document.length }',
    'const place = pod.location',
    'const kinds = { document: 1, process: 2 }',
    'interface Pod { location: string; process: number }',
    '// Date.now() in a comment',
    "const text = 'Math.random()'",
  ])('accepts %s', (source) => {
    expect(rulesBroken('engine/cellar/jar.ts', source)).toEqual([])
  })

  it('are the engine alone', () => {
    expect(rulesBroken('app/page.ts', 'setTimeout(run, Date.now())')).toEqual([])
  })
})

describe('a WeakMap', () => {
  const inEngine = (path: string) =>
    checkSource(path, 'const known = new WeakMap<object, string>()', () => undefined, LAYERS)

  it('is created only by the files that the table lists', () => {
    expect(inEngine('engine/core/identity-memo.ts')).toEqual([])
    expect(inEngine('engine/registry/update.ts').map(({ rule }) => rule)).toEqual([
      'a WeakMap: use memoizeByIdentity or a field (docs/decisions/0034)',
    ])
    expect(inEngine('hosts/node/adapter.ts')).toEqual([])
  })
})
