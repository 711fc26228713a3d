/** The drawing of the layers shows imports downward only, and ARCHITECTURE.md shows it. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { currentDrawing, drawing, drawnLayers } from '../../scripts/structure'

it('draws each layer above the layers that it imports, without arrows that others imply', () => {
  const imports = new Map([
    ['engine/apply/merge.ts', ['engine/patch/merge-patch.ts', 'engine/schema/model.ts']],
    ['engine/patch/merge-patch.ts', ['engine/schema/model.ts', 'engine/core/object.ts']],
    ['engine/schema/model.ts', ['engine/core/object.ts']],
    ['engine/storage/storage.ts', []],
  ])
  expect(drawing(drawnLayers(imports)).split('\n')).toEqual([
    'apply    ──► patch',
    '',
    'patch    ──► schema',
    '',
    'schema',
    'storage',
  ])
})

it('is the one that ARCHITECTURE.md shows', () => {
  const document = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  expect(document).toContain(currentDrawing())
})
