/**
 * In how many files of the engine a kind is named outside of the directory of its group. Adding a
 * kind should need one value, so the numbers in mentions.txt may only shrink. Admission plugins and
 * simulated programs name the kinds that they work on.
 *
 *     UPDATE_DOCUMENTS=1 npm run unit -- tests/kinds/mentions.test.ts
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DISCOVERY_ALL } from '../../src/engine/generated/discovery'

const ENGINE = fileURLToPath(new URL('../../src/engine', import.meta.url))
const LIST = fileURLToPath(new URL('mentions.txt', import.meta.url))
const ELSEWHERE = ['generated', 'kinds', 'admission', 'simulation']

function sourceFiles(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    if (ELSEWHERE.includes(relative(ENGINE, path))) return []
    return statSync(path).isDirectory() ? sourceFiles(path) : [path]
  })
}

/** Names of files in imports are not names of kinds. */
const IMPORTED = / from '[^']+'/g

const texts = sourceFiles(ENGINE).map((path) => readFileSync(path, 'utf8').replace(IMPORTED, ''))

/** Plural names, each once: `events` is a resource of two groups. */
const plurals = [
  ...new Set(
    DISCOVERY_ALL.flatMap(({ versions }) =>
      versions.flatMap(({ resources }) => resources.map(({ resource }) => resource)),
    ),
  ),
].sort()

/** A name in quotes or in a path: `'pods'`, `jobs.batch'`, `/nodes/`. */
const naming = (plural: string) => new RegExp(`['"\`/]${plural}(?=['"\`./$])`)

const found = new Map(
  plurals.map((plural) => [plural, texts.filter((text) => naming(plural).test(text)).length]),
)

const allowed = (): Map<string, number> =>
  new Map(
    readFileSync(LIST, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): [string, number] => {
        const [plural = '', count] = line.split(' ')
        return [plural, Number(count)]
      }),
  )

if (process.env.UPDATE_DOCUMENTS)
  writeFileSync(LIST, [...found].map(([plural, count]) => `${plural} ${count}\n`).join(''))

describe('the plural name of a kind', () => {
  it('is known for every kind of the release', () => {
    expect(plurals.length).toBeGreaterThan(60)
    expect([...allowed().keys()]).toEqual(plurals)
  })

  it('is in no more files than the list allows', () => {
    const list = allowed()
    const grown = [...found]
      .filter(([plural, count]) => count > (list.get(plural) ?? 0))
      .map(([plural, count]) => `${plural} is in ${count} files`)
    expect(grown).toEqual([])
  })
})
