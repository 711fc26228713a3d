/** Every stored item has a description, and the items of a workspace are removed with it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  bytesOf,
  ofWorkspace,
  SMALL_KINDS,
  smallThings,
  workspacesIn,
} from '../../src/app/features/stored/small-kinds'
import type { StoredItem } from '../../src/app/state/stored'

const thing = (name: string, text = '{}'): StoredItem => ({ name, key: `kubetab.${name}`, text })
const shownOf = (...names: string[]) =>
  smallThings(names.map((name) => thing(name))).map(({ id, things }) => [id, things.length])

describe('kinds of stored items', () => {
  it('sort what is there by what it means', () => {
    expect(shownOf('view', 'layout', 'editors', 'lessons')).toEqual([
      ['files', 1],
      ['progress', 1],
      ['looks', 2],
    ])
  })

  it('include unknown items, so that they can be removed too', () => {
    expect(shownOf('of-an-earlier-page')).toEqual([['other', 1]])
  })

  it('leave to workspaces what is theirs', () => {
    const all = [
      thing('editors'),
      thing('~demo.editors', 'ä'),
      thing('~demo.actor'),
      thing('~lesson-a.lesson-done'),
      thing('workspaces'),
    ]
    expect(smallThings(all).map(({ id }) => id)).toEqual(['files'])
    expect(ofWorkspace(all, 'demo').map(({ name }) => name)).toEqual([
      '~demo.editors',
      '~demo.actor',
    ])
    expect(ofWorkspace(all, '')).toEqual([])
    expect(workspacesIn(all)).toEqual(['demo', 'lesson-a'])
    expect(bytesOf(all.slice(1, 2))).toBe('kubetab.~demo.editors'.length + 2)
  })

  it('cover every name that the page stores', () => {
    const known = new Set(SMALL_KINDS.flatMap(({ names }) => names))
    const unknown = [...namesInSources()].filter((name) => !known.has(name))
    // The list of workspaces is removed with these; the items of a lesson exist in lesson
    // workspaces only.
    expect(unknown.sort()).toEqual([
      'incident',
      'lesson-begun',
      'lesson-done',
      'lesson-predictions',
      'workspaces',
    ])
  })
})

/** String literals at the calls that store an item, or that build such a name. */
function namesInSources(): Set<string> {
  const folder = join(import.meta.dirname, '../../src/app')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const found = new Set<string>()
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (!/\b(?:store|load)\b/.test(text)) continue
    for (const [, name = ''] of text.matchAll(/\b(?:store|load(?:<[^(]*>)?|ownKey)\('([\w-]+)'/g))
      found.add(name)
    for (const [, name = ''] of text.matchAll(/^const (?:KEY|DRAFT|EARLIER|NAME) = '([\w-]+)'/gm))
      found.add(name)
  }
  return found
}
