/** docs/removed-versions.md lists the rows of the table of removed versions with their state on running servers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BASE_RELEASE } from '../../src/engine/release-tables/minor'
import { DEFAULT_RELEASE, RELEASES, type Removal, rowsOfTable } from '../../src/engine/releases'
import { type RowState, stateOf } from './row-state'

const DOCUMENT = new URL('../../docs/removed-versions.md', import.meta.url)
const UPDATE = 'npm run removed-versions'

const HEAD = `# Removed API versions

The server implements the releases from ${RELEASES[0]} to ${RELEASES.at(-1)} (\`--release=1.21\`) with the
tables of ${BASE_RELEASE}. The default is ${DEFAULT_RELEASE}: [releases.md](releases.md) describes newer ones. Each release serves
the groups and versions that were on by default; \`--runtime-config\` switches versions on and off.

| differs by release | same in all of them, as in ${BASE_RELEASE} |
|---|---|
| served versions and kinds, preferred and storage versions in discovery | the fields of a kind |
| defaults and validation of removed versions: the notable changes below | other validation rules |
| warnings, audit annotations and metrics of deprecated versions | admission plugins and feature gates |
| \`/version\` | controllers |
| PodSecurityPolicy and its admission plugin, until 1.24 | the initial objects of a cluster |

Objects are always stored in the version that ${BASE_RELEASE} stores, so a server can change its release over
the same data. Discovery shows the storage version of the selected release.

\`${UPDATE}\` generates this table from running servers; a test fails if it is out of date.
Each notable change has a test of the same name in \`tests/releases/notable-changes.test.ts\`.

- *served*: the release before accepts and returns objects of the version
- *removed*: the release responds 404
- *readable*: objects stored through the version can be read through the replacement

| release | kinds | removed | replacement (since) | served | removed | readable | notable changes |
|---|---|---|---|---|---|---|---|`

const word = (state: boolean | undefined): string =>
  state === undefined ? '-' : state ? 'yes' : 'NO'

function line(
  { release, kinds, removed, replacements, changes }: Removal,
  { served, gone, reached }: RowState,
): string {
  const cells = [
    release,
    kinds.join(', '),
    removed.join(', '),
    replacements.map(({ apiVersion, since }) => `${apiVersion} (${since})`).join(', ') || 'none',
    ...[served, gone, reached].map(word),
    changes.map(({ name, text }) => `**${name}**: ${text}`).join('; ') || 'none',
  ]
  return `| ${cells.join(' | ')} |`
}

it('the document matches running servers', async () => {
  const lines: string[] = [HEAD]
  for (const row of rowsOfTable()) lines.push(line(row, await stateOf(row)))
  const document = `${lines.join('\n')}\n`
  expect(document).not.toContain('| NO |')
  if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(DOCUMENT, document)
  expect(readFileSync(DOCUMENT, 'utf8'), `run ${UPDATE}`).toBe(document)
}, 60_000)
