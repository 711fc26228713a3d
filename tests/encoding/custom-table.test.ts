import { describe, expect, test } from 'vitest'
import type { Json, JsonObject, KubeObject } from '../../src/engine/core/object'
import { type PrinterColumn, tableOfColumns } from '../../src/engine/encoding/custom-table'
import { JsonPathError, parseJsonPath } from '../../src/engine/encoding/json-path'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'
import type { Recording } from '../conformance/replay'
import { kubeObject, tableDocument } from '../support/json-objects'

describe('paths', () => {
  const object: Json = {
    name: 'root',
    ports: [
      { name: 'http', port: 80, tags: ['a', 'b'] },
      { name: 'admin', port: 8080 },
      { name: 'none' },
    ],
    map: { 'a.b': 1, c: { name: 'deep' } },
    on: true,
  }
  test.each<[path: string, found: Json[]]>([
    ['.name', ['root']],
    ['.missing', []],
    ['.name.below', []],
    ['.ports[0].port', [80]],
    ['.ports[-1].name', ['none']],
    ['.ports[7].name', []],
    ['.ports[*].name', ['http', 'admin', 'none']],
    ['.ports[0:2].name', ['http', 'admin']],
    ['.ports[::2].name', ['http', 'none']],
    ['.ports[0,2].name', ['http', 'none']],
    ['.map.a\\.b', [1]],
    // A dot in quotes separates names too, as in kubectl.
    [".map['a.b']", []],
    [".map['a\\.b']", [1]],
    [".map['a\\.b','c'].name", ['deep']],
    ['.ports[].name', ['http']],
    ['.ports[?(@.name=="admin")].port', [8080]],
    ["..ports[?(@.name!='admin')].port", [80]],
    ['.ports[?(@.port>100)].name', ['admin']],
    ['.ports[?(@.port<=80)].name', ['http']],
    ['.ports[?(@.tags)].name', ['http']],
    ['..name', ['root', 'http', 'admin', 'none', 'deep']],
    ['.on', [true]],
  ])('%s', (path, found) => {
    expect(parseJsonPath(path)(object)).toEqual(found)
  })
  test.each(['%', '.a[', '.a[x]', '.a[?(@.b==)]'])('rejects %s', (path) => {
    expect(() => parseJsonPath(path)).toThrow(JsonPathError)
  })
})

describe('cells', () => {
  const NOW = Date.UTC(2026, 0, 2)
  const show = (type: string, value: Json): Json => {
    const object = kubeObject({
      kind: 'X',
      apiVersion: 'x/v1',
      metadata: { name: 'x' },
      value,
    })
    const options = { now: NOW, includeObject: 'None', withColumns: false, listMeta: {} } as const
    const table = tableDocument(
      tableOfColumns([{ name: 'V', type, jsonPath: '.value' }], [object], options),
    )
    return table.rows?.[0]?.cells[1] ?? null
  }
  test('a string column prints any value', () => {
    expect(
      ['a', 5, 1.5, true, null, { a: '<' }, [1]].map((value) => show('string', value)),
    ).toEqual(['a', '5', '1.5', 'true', '<no value>', '{"a":"\\u003c"}', '[1]'])
  })
  test('other types print only values of their type', () => {
    expect([
      show('integer', 7.9),
      show('integer', '7'),
      show('number', 1.5),
      show('boolean', true),
      show('boolean', 'yes'),
    ]).toEqual([7, null, 1.5, true, null])
  })
  test('date columns print ages', () => {
    expect([
      show('date', '2026-01-01T00:00:00Z'),
      show('date', 'yesterday'),
      show('date', 5),
    ]).toEqual(['24h', '<invalid>', null])
  })
})

interface Table {
  columnDefinitions: JsonObject[]
  rows: { cells: Json[] }[]
}

function jsonOf(text: string | null | undefined) {
  return text?.startsWith('{') ? JSON.parse(text) : {}
}

/** The columns and objects of a recording, and its Tables of lists. */
function shownIn(recording: Recording) {
  const objects = new Map<string, KubeObject>()
  let columns: PrinterColumn[] | undefined
  return recording.steps.flatMap(({ id, request, response }) => {
    const defined = jsonOf(request.body)
    if (defined.kind === 'CustomResourceDefinition')
      columns = defined.spec?.versions?.[0]?.additionalPrinterColumns
    if (
      response.status >= 300 ||
      !/\.example\.com\/v1\//.test(request.path) ||
      /watch=/.test(request.path)
    )
      return []
    const result = jsonOf(response.text) as KubeObject & Table
    if (result.kind !== 'Table') {
      if (result.metadata?.uid) objects.set(result.metadata.name ?? '', result)
      return []
    }
    return [
      {
        id,
        columns,
        table: result,
        objects: result.rows.flatMap(({ cells }) => objects.get(String(cells[0])) ?? []),
      },
    ]
  })
}

describe('recorded tables of custom resources', () => {
  for (const file of FOLDERS.flatMap((folder) => recordingFiles(folder)).filter(({ name }) =>
    /^(wire-table|crd-basics)$/.test(name),
  )) {
    for (const recording of readRecordings(file)) {
      const shown = shownIn(recording)
      if (shown.length === 0) continue
      test(recording.doc, () => {
        for (const { id, columns, table, objects } of shown) {
          const now = Math.max(
            ...objects.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')),
          )
          const options = { now, includeObject: 'None', withColumns: true, listMeta: {} } as const
          const made = tableOfColumns(columns, objects, options) as unknown as Table
          expect(made.columnDefinitions, id).toEqual(table.columnDefinitions)
          expect(
            made.rows.map(({ cells }) => cells),
            id,
          ).toEqual(table.rows.map(({ cells }) => cells))
        }
      })
    }
  }
})
