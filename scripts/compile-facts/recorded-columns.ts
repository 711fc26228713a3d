/** Columns of recorded Tables, with descriptions. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export interface Column {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

interface Exchange {
  request: { path: string }
  response: { text: string }
}

function* exchangesIn(folders: readonly URL[]): Generator<Exchange> {
  for (const folder of folders) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json.gz'))) {
      const scenarios = JSON.parse(gunzipSync(readFileSync(new URL(name, folder))).toString()) as {
        steps?: Exchange[]
      }[]
      for (const { steps = [] } of scenarios) yield* steps
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

/** Columns of each resource's first recorded Table. */
export function recordedColumns(folders: readonly URL[]): Map<string, Column[]> {
  const columns = new Map<string, Column[]>()
  for (const { request, response } of exchangesIn(folders)) {
    const resource = resourceOf(request.path)
    if (resource === undefined || columns.has(resource)) continue
    for (const line of response.text.split('\n')) {
      const definitions = tableIn(line)?.columnDefinitions
      if (definitions) columns.set(resource, definitions)
    }
  }
  return columns
}
