/**
 * Compiles the columns of every resource's Table from recorded Tables into
 * src/engine/generated/table-columns.ts.
 *
 *     npx tsx scripts/compile-table-columns.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { API_DOMAIN } from '../src/engine/names'

interface Column {
  name: string
  type: string
  format: string
  description: string
  priority: number
}
type Exchange = { request: { path: string }; response: { text: string } }

const recordings = new URL('../tests/conformance/', import.meta.url)
const target = new URL('../src/engine/generated/table-columns.ts', import.meta.url)

function* exchanges(): Generator<Exchange> {
  for (const folder of readdirSync(recordings).filter(
    (name) => name.startsWith('recordings') && !name.includes('.'),
  )) {
    for (const name of readdirSync(new URL(`${folder}/`, recordings)).filter((file) =>
      file.endsWith('.json.gz'),
    )) {
      const scenarios = JSON.parse(
        gunzipSync(readFileSync(new URL(`${folder}/${name}`, recordings))).toString(),
      ) as { steps: Exchange[] }[]
      for (const scenario of scenarios) yield* scenario.steps
    }
  }
}

/**
 * `/apis/apps/v1/namespaces/x/deployments/web?…` -> `deployments.apps`; undefined for custom
 * resources and other paths.
 */
function resourceOf(path: string): string | undefined {
  const [, group = '', rest = ''] =
    /^\/(?:api|apis\/([^/]+))\/v[^/]+\/(?:watch\/)?([^?]*)/.exec(path) ?? []
  const parts = rest.replace(/^namespaces\/[^/]+\/(?=.)/, '').split('/')
  if (group.endsWith('.example.com') || parts[0] === '') return undefined
  if (parts[2] === 'scale') return 'scale'
  return group === '' ? parts[0] : `${parts[0]}.${group}`
}

function tableIn(line: string): { columnDefinitions?: Column[] } | undefined {
  if (!line.includes('"kind":"Table"')) return undefined
  try {
    const value = JSON.parse(line) as { kind?: string; object?: { kind?: string } }
    return (value.kind === 'Table' ? value : value.object) as { columnDefinitions?: Column[] }
  } catch {
    return undefined
  }
}

const columns = new Map<string, Column[]>()
for (const { request, response } of exchanges()) {
  const resource = resourceOf(request.path)
  if (resource === undefined || columns.has(resource)) continue
  for (const line of response.text.split('\n')) {
    const definitions = tableIn(line)?.columnDefinitions
    if (definitions) columns.set(resource, definitions)
  }
}

/** Columns of resources without a recorded Table. */
const column = (name: string, description = ''): Column => ({
  name,
  type: 'string',
  format: '',
  description,
  priority: 0,
})
const [nameColumn, ageColumn] = ['Name', 'Age'].map(
  (name) => columns.get('configmaps')?.find((candidate) => candidate.name === name) as Column,
)
const texts131 = JSON.parse(
  readFileSync(new URL('../facts/descriptions.json', import.meta.url)).toString(),
) as Record<string, Record<string, string>>
/** A column with the description of a field. */
const fieldColumn = (name: string, type: string, field: string): Column => {
  const description = texts131[`api.${type}`]?.[field]
  if (description === undefined) throw new Error(`${type} has no description of ${field}`)
  return column(name, description)
}
const UNRECORDED: Record<string, Column[]> = {
  componentstatuses: ['Status', 'Message', 'Error'].map((name) =>
    column(name, `${name} of the component conditions`),
  ),
  'podsecuritypolicies.policy': [
    'Priv',
    'Caps',
    'Selinux',
    'RunAsUser',
    'FsGroup',
    'SupGroup',
    'ReadOnlyRootFs',
    'Volumes',
  ].map((name) => column(name)),
  [`storageversions.internal.apiserver.${API_DOMAIN}`]: [
    fieldColumn(
      'CommonEncodingVersion',
      'apiserverinternal.v1alpha1.StorageVersionStatus',
      'commonEncodingVersion',
    ),
    fieldColumn(
      'StorageVersions',
      'apiserverinternal.v1alpha1.StorageVersionStatus',
      'storageVersions',
    ),
    ageColumn as Column,
  ],
  [`resourceclaimtemplates.resource.${API_DOMAIN}`]: [ageColumn as Column],
  [`deviceclasses.resource.${API_DOMAIN}`]: [ageColumn as Column],
  [`podschedulingcontexts.resource.${API_DOMAIN}`]: [
    fieldColumn('SelectedNode', 'resource.v1alpha3.PodSchedulingContextSpec', 'selectedNode'),
    ageColumn as Column,
  ],
  [`resourceslices.resource.${API_DOMAIN}`]: [
    fieldColumn('Node', 'resource.v1alpha3.ResourceSliceSpec', 'nodeName'),
    fieldColumn('Driver', 'resource.v1alpha3.ResourceSliceSpec', 'driver'),
    fieldColumn('Pool', 'resource.v1alpha3.ResourcePool', 'name'),
    ageColumn as Column,
  ],
}
for (const [resource, own] of Object.entries(UNRECORDED)) {
  if (!columns.has(resource)) columns.set(resource, [nameColumn as Column, ...own])
}
/** The only kind whose name column has no format, and which has no age. */
columns.set(`storageversionmigrations.storagemigration.${API_DOMAIN}`, [
  { ...(nameColumn as Column), format: '' },
  column('Resource', 'Fully qualified resource to migrate'),
])

const texts = [
  ...new Set([...columns.values()].flat().map(({ description }) => description)),
].sort()
const facts = Object.fromEntries(
  [...columns]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, definitions]) => [
      resource,
      definitions.map(({ name, type, format, description, priority }) => [
        name,
        type,
        format,
        texts.indexOf(description),
        priority,
      ]),
    ]),
)
const literal = (value: unknown) => `'${JSON.stringify(value).replace(/[\\']/g, '\\$&')}'`
writeFileSync(
  target,
  `/** Columns of Tables by qualified resource. Generated by scripts/compile-table-columns.ts from recorded Tables: do not edit. */
import { parsedOnce } from './parsed-once'

/** Descriptions, each once. */
export const columnDescriptions = parsedOnce<string[]>(${literal(texts)})

/** Name, type, format, index of the description, priority. */
export const tableColumns = parsedOnce<Record<string, [name: string, type: string, format: string, text: number, priority: number][]>>(
  ${literal(facts)},
)
`,
)
console.log(
  `${Object.keys(facts).length} resources, ${texts.length} descriptions -> ${fileURLToPath(target)}`,
)
