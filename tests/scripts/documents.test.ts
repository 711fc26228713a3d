/** Documents name only files and commands that exist. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scripts } from '../../package.json'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  // The changelog describes former states.
  .filter((file) => file !== 'CHANGELOG.md')

/** Paths below a directory of the repository, without patterns and placeholders. */
const PATH =
  /`((?:src|tests|docs|scripts|playwright|facts|examples|public|\.github|\.ci)\/[\w./-]+)`/g
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g
const COMMAND = /\bnpm run (?:-s )?([\w:-]+)/g

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

/** Returns what a document names and the repository does not have. */
function missingIn(document: string, text: string): string[] {
  const isMissing = (path: string) => !existsSync(join(ROOT, path))
  const links = found(text, LINK).map((link) => join(dirname(document), link))
  return [
    ...[...found(text, PATH), ...links].filter(isMissing),
    ...found(text, COMMAND)
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `npm run ${name}`),
  ]
}

describe('a document', () => {
  it.each(DOCUMENTS)('names only files and commands that exist: %s', (document) => {
    expect(missingIn(document, readFileSync(join(ROOT, document), 'utf8'))).toEqual([])
  })

  it('has its missing files and commands found', () => {
    const text = '`src/engine/nowhere.ts`, [here](nowhere.md), `docs/README.md`; `npm run nothing`'
    expect(missingIn('docs/README.md', text)).toEqual([
      'src/engine/nowhere.ts',
      'docs/nowhere.md',
      'npm run nothing',
    ])
  })
})
