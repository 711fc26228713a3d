import { describe, expect, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { tableOf } from '../../src/engine/encoding/table'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'
import type { Recording } from '../conformance/replay'

/**
 * Follows the objects of a recording and rebuilds every recorded Table from them, without a server.
 * Rows of objects that the recording has not shown in their latest state are left to the replay.
 */
interface Table {
  apiVersion: string
  metadata: { resourceVersion: string }
  columnDefinitions: { name: string }[]
  rows: { cells: unknown[]; object: KubeObject | null }[] | null
}

const AGES = new Set(['Age', 'Last Seen', 'First Seen'])

/**
 * Maps a path such as `/apis/apps/v1/namespaces/x/deployments/web/status?…` to the object, without
 * subresource.
 */
function place(path: string) {
  const [, group = '', version = '', rest = ''] =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)\/([^?]*)/.exec(path) ?? []
  const inNamespace = /^namespaces\/([^/]+)\/(.+)/.exec(rest)
  const [resource = '', name, subresource] = (inNamespace?.[2] ?? rest).split('/')
  return {
    group,
    version,
    resource,
    name,
    subresource,
    collection: `${group}/${inNamespace?.[1] ?? ''}/${resource}`,
  }
}

function withoutAges(cells: unknown[], columns: { name: string }[]): unknown[] {
  return cells.map((cell, i) =>
    AGES.has(columns[i]?.name ?? '') && /^\d+[smhdy]/.test(String(cell)) ? '<age>' : cell,
  )
}

function* tablesOf(recording: Recording) {
  const objects = new Map<string, KubeObject>()
  for (const { id, request, response } of recording.steps) {
    if (response.status >= 300 || /[?&]watch=/.test(request.path)) continue
    const path = request.path.replaceAll('{{ns}}', recording.ns)
    const at = place(path)
    let body: unknown
    try {
      body = JSON.parse(response.text ?? '')
    } catch {
      continue
    }
    if ((body as KubeObject).kind === 'Table') {
      const table = body as Table
      const rows = (table.rows ?? []).flatMap((row) => {
        const object = objects.get(
          `${at.collection}/${row.object?.metadata.name ?? at.name ?? row.cells[0]}`,
        )
        const fresh =
          object &&
          (at.name === undefined ||
            object.metadata.resourceVersion === table.metadata.resourceVersion)
        return fresh ? [{ row, object }] : []
      })
      if (at.subresource !== 'scale' && !at.group.endsWith('.example.com'))
        yield { id, at, table, rows }
      continue
    }
    const object = body as KubeObject
    const isObject =
      !/^(Status|PartialObjectMetadata)$/.test(object.kind) &&
      object.metadata?.uid !== undefined &&
      at.subresource !== 'scale'
    const dryRun = /[?&]dryRun=/.test(path)
    if (isObject && !dryRun) objects.set(`${at.collection}/${object.metadata.name}`, object)
  }
}

const FILES = /^(core-tables|wire-table|access-rbacobjects|kinds-.*|cluster-.*)$/
let made = 0
for (const file of FOLDERS.flatMap((folder) => recordingFiles(folder)).filter(({ name }) =>
  FILES.test(name),
)) {
  const recordings = readRecordings(file).map((recording) => ({
    recording,
    tables: [...tablesOf(recording)],
  }))
  if (recordings.every(({ tables }) => tables.length === 0)) continue
  describe(file.name, () => {
    for (const { recording, tables } of recordings) {
      if (tables.length === 0) continue
      test(`${recording.name}: ${recording.doc}`, () => {
        for (const { id, at, table, rows } of tables) {
          const remade = tableOf(
            at,
            rows.map(({ object }) => object),
            {
              now: Math.max(
                0,
                ...rows.map(({ object }) => Date.parse(object.metadata.creationTimestamp ?? '')),
              ),
              includeObject: 'None',
              withColumns: true,
              listMeta: {},
              version: table.apiVersion.endsWith('v1') ? 'v1' : 'v1beta1',
            },
          ) as unknown as JsonObject & Table
          expect(remade.columnDefinitions, id).toEqual(table.columnDefinitions)
          expect(
            remade.rows?.map(({ cells }) => withoutAges(cells, remade.columnDefinitions)) ?? [],
            id,
          ).toEqual(rows.map(({ row }) => withoutAges(row.cells, table.columnDefinitions)))
          made += rows.length
        }
      })
    }
  })
}

test('the recordings contain enough rows', () => {
  expect(made).toBeGreaterThan(150)
})
