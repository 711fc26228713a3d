/** docs/releases.md matches the release tables and the named changes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import { CHANGES } from '../../src/engine/release-tables/changes'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { BASE_RELEASE } from '../../src/engine/release-tables/minor'
import {
  type ReleaseTables,
  STEPS,
  type Tables,
  tablesOf,
} from '../../src/engine/release-tables/tables'
import { DEFAULT_RELEASE } from '../../src/engine/releases'

const DOCUMENT = new URL('../../docs/releases.md', import.meta.url)
const UPDATE = 'npm run releases-document'

const HEAD = `# Changes by release

The server implements every release up to 1.37 (\`--release=1.37\`; the default is ${DEFAULT_RELEASE}).

- **${STEPS.join(', ')}**: tables of types, versions, feature gates, initial objects, columns and Protobuf
  were recorded from servers of these releases. \`npm run replay -- --release=1.37\` compares
  responses with recordings. Known differences are in \`tests/conformance/known-differences-1.37.txt\`
  and the lists of the other releases.
- **Releases between them**: use the tables of the next lower recorded release, and the named
  changes up to their own.
- **Releases before ${BASE_RELEASE}**: see [removed-versions.md](removed-versions.md).

\`${UPDATE}\` generates this document; a test fails if it is out of date. A change that no
table contains has a name in \`src/engine/release-tables/changes/\`.
`

beforeAll(() => loadTables('1.37'))

const list = (items: readonly string[]): string =>
  items.length === 0 ? 'none' : items.map((item) => `\`${item}\``).join(', ')

function versionsIn(groups: Tables['discoveryAll']): string[] {
  return groups.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(
        ({ resource }) => `${metadata.name ? `${metadata.name}/` : ''}${version} ${resource}`,
      ),
    ),
  )
}

const without = (items: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others)
  return items.filter((item) => !known.has(item))
}

/** `api.core.v1.PodSpec.hostnameOverride` */
function fieldsIn(types: Record<string, string>): string[] {
  return Object.entries(types).flatMap(([type, text]) =>
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('@'))
      .map((line) => `${type}.${line.slice(0, line.search(/[?!:]/))}`),
  )
}

function sectionOf(release: string, tables: ReleaseTables, before: ReleaseTables): string {
  const [gates, gatesBefore] = [tables.table('featureGates'), before.table('featureGates')]
  const names = Object.keys(gates)
  const moved = names.filter((name) => {
    const [now, then] = [gates[name], gatesBefore[name]]
    return then && (now?.stage !== then.stage || now.default !== then.default)
  })
  const reported = (name: string) => `${name} (${gates[name]?.stage}, ${gates[name]?.default})`
  const [all, allBefore] = [tables, before].map((one) => versionsIn(one.table('discoveryAll')))
  const [on, onBefore] = [tables, before].map((one) => versionsIn(one.table('discovery')))
  const [fields, fieldsBefore] = [tables, before].map((one) => fieldsIn(one.table('types')))
  const types = new Set(Object.keys(before.table('types')))
  const added = without(fields ?? [], fieldsBefore ?? []).filter((field) =>
    types.has(field.slice(0, field.lastIndexOf('.'))),
  )
  return `## ${release}

| what | compared with the previous recorded release |
|---|---|
| new resources | ${list(without(all ?? [], allBefore ?? []))} |
| removed resources | ${list(without(allBefore ?? [], all ?? []))} |
| newly served by default | ${list(without(on ?? [], onBefore ?? []))} |
| new feature gates | ${list(without(names, Object.keys(gatesBefore)).map(reported))} |
| feature gates with a new stage or default | ${list(moved.map(reported))} |
| removed feature gates | ${list(without(Object.keys(gatesBefore), names))} |
| new fields of existing types | ${list(added)} |
`
}

function changesTable(): string {
  const rows = Object.entries(CHANGES).map(
    ([name, { since, does, source }]) => `| ${since} | ${name} | ${does} | ${source} |`,
  )
  return `## Named changes

| since | name | behavior | source |
|---|---|---|---|
${rows.join('\n')}
`
}

it('the document matches the tables', () => {
  const sections: string[] = []
  let before = baseTables()
  for (const release of STEPS) {
    const tables = tablesOf(release)
    if (tables === undefined) throw new Error(`${release} is not loaded`)
    sections.push(sectionOf(release, tables, before))
    before = tables
  }
  const document = [HEAD, changesTable(), ...sections].join('\n')
  if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(DOCUMENT, document)
  expect(readFileSync(DOCUMENT, 'utf8'), `run ${UPDATE}`).toBe(document)
})
