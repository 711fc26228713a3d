/** docs/removed-versions.md lists the rows of the table of removed versions with their state, as running servers tell it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_RELEASE, RELEASES, type Removal, rowsOfTable } from '../../src/engine/releases'
import { type RowState, stateOf } from './row-state'

const DOCUMENT = new URL('../../docs/removed-versions.md', import.meta.url)
const UPDATE = 'npm run removed-versions'

const HEAD = `# Removed API versions

The server answers as any release from ${RELEASES[0]} to ${RELEASES.at(-1)} (\`--release=1.21\`; ${DEFAULT_RELEASE} by default). Each serves the groups and versions
that it served by default; \`--runtime-config\` switches the others that it had on, and any off.

What differs from release to release: the versions and kinds that are served, which version is preferred and which one discovery calls
the stored one, the defaults and the leniency of versions that are gone (the notable changes below), the warnings, audit annotations and
metrics of what is deprecated, \`/version\`, and PodSecurityPolicy with its admission plugin until 1.24. Everything else is as in release
${DEFAULT_RELEASE}, whichever release the server answers as: members that came later are known in older releases too, the rules of validation, admission
plugins, feature gates, controllers and the objects of a fresh server are those of ${DEFAULT_RELEASE}, and versions of release 1.32 that ${DEFAULT_RELEASE} has not are
not there.

Objects are always stored in the version that ${DEFAULT_RELEASE} stores. So a server can move to any release and back over the same data; discovery
tells the stored version that the release had.

This table is made by asking running servers (\`${UPDATE}\` writes it anew; a test fails while it is out of date). Each
notable change has a test under its name in \`tests/releases/notable-changes.test.ts\`.

- *served*: the release before takes and gives objects of the version
- *gone*: the release answers 404
- *reached*: what was stored through the version is read through the replacement, the same object

| release | kinds | removed | replacement (since) | served | gone | reached | notable changes |
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

it('the document says what servers do', async () => {
  const lines: string[] = [HEAD]
  for (const row of rowsOfTable()) lines.push(line(row, await stateOf(row)))
  const document = `${lines.join('\n')}\n`
  expect(document).not.toContain('| NO |')
  if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(DOCUMENT, document)
  expect(readFileSync(DOCUMENT, 'utf8'), `run ${UPDATE}`).toBe(document)
}, 60_000)
