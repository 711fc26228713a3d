/** A release's tables from its facts, and their differences from the previous release. */
import { entryOf, type Json } from '../../src/engine/core/object'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import type { Column, Step, Tables } from '../../src/engine/release-tables/tables'
import { BuiltinModel } from '../../src/engine/schema/builtin'
import { compileBootstrapObjects } from './bootstrap-objects'
import { findTableDifference } from './find-difference'
import { recordedColumns } from './recorded-columns'
import { type Facts, factsOf, recordedReleases } from './release-facts'
import { compileTypes } from './types'

type Named = Parameters<typeof compileTypes>

/** @param before tables and facts of the previous recorded release */
function tablesOf(release: string, facts: Facts, before: { facts: Facts; tables: Tables }): Tables {
  const { types, commonVersions } = compileTypes(
    facts.types as unknown as Named[0],
    facts['go-fields'] as unknown as Named[1],
    facts['patch-strategies'] as unknown as Named[2],
  )
  return {
    types,
    commonVersions,
    discovery: facts.discovery as unknown as Tables['discovery'],
    discoveryAll: facts['discovery-runtime-config-all'] as unknown as Tables['discoveryAll'],
    lifecycle: facts.lifecycle as unknown as Tables['lifecycle'],
    featureGates: facts['feature-gates'] as unknown as Tables['featureGates'],
    bootstrapObjects: compileBootstrapObjects(
      facts['bootstrap-objects'] as unknown as Parameters<typeof compileBootstrapObjects>[0],
      facts.discovery as unknown as Parameters<typeof compileBootstrapObjects>[1],
      new BuiltinModel(types, commonVersions),
    ) as unknown as Tables['bootstrapObjects'],
    operations: facts.operations as unknown as Tables['operations'],
    protobuf: facts.protobuf as unknown as Tables['protobuf'],
    tableColumns: columnsOf(release, facts, before),
  }
}

interface TableColumn {
  name: string
  type: string
  format: string
  priority: number
}

const recordings = new URL('../../tests/conformance/recordings-releases/', import.meta.url)

/**
 * Descriptions come from recorded Tables of the release, else from the previous release's column.
 */
function columnsOf(
  release: string,
  facts: Facts,
  before: { facts: Facts; tables: Tables },
): Tables['tableColumns'] {
  const columns = { ...before.tables.tableColumns }
  const known = before.facts.tables as Record<string, Json>
  for (const [path, table] of Object.entries(facts.tables as Record<string, Json>)) {
    if (JSON.stringify(known[path]) === JSON.stringify(table)) continue
    const [, group = '', resource = ''] = /^(?:api|apis\/([^/]+))\/[^/]+\/([^/]+)/.exec(path) ?? []
    const key = group === '' ? resource : `${resource}.${group}`
    columns[key] = (table as unknown as TableColumn[]).map(
      ({ name, type, format, priority }): Column => {
        const same = [...(columns[key] ?? []), ...(columns.configmaps ?? [])].find(
          ([other]) => other === name,
        )
        return [name, type, format, same?.[3] ?? '', priority]
      },
    )
  }
  for (const [key, recorded] of recordedColumns([new URL(`${release}/`, recordings)])) {
    const own = entryOf(columns, key)
    if (own?.map(([name]) => name).join() !== recorded.map(({ name }) => name).join()) continue
    columns[key] = recorded.map(
      ({ name, type, format, description, priority }): Column => [
        name,
        type,
        format,
        description,
        priority,
      ],
    )
  }
  return columns
}

/** Each recorded release with its differences from the previous one. */
export function steps(): { release: string; step: Step }[] {
  const base = baseTables()
  let before = {
    facts: factsOf(base.release),
    tables: Object.fromEntries(
      TABLE_NAMES.map((name) => [name, base.table(name)]),
    ) as unknown as Tables,
  }
  return recordedReleases().map((release) => {
    const facts = factsOf(release)
    const tables = tablesOf(release, facts, before)
    const step: Step = {}
    for (const name of TABLE_NAMES) {
      const difference = findTableDifference(
        before.tables[name] as unknown as Json,
        tables[name] as unknown as Json,
      )
      if (difference) step[name] = difference
    }
    before = { facts, tables }
    return { release, step }
  })
}

const TABLE_NAMES = [
  'types',
  'commonVersions',
  'discovery',
  'discoveryAll',
  'lifecycle',
  'featureGates',
  'bootstrapObjects',
  'operations',
  'protobuf',
  'tableColumns',
] as const satisfies (keyof Tables)[]
