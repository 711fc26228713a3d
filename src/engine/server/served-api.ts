/** The API that the options select: release, tables, feature gates, groups and resources. */
import { BUILTIN_KINDS, rulesBehind } from '../kinds/builtin-kinds'
import { describedVersions, groupsWith, tablesWith } from '../kinds/described-kinds'
import type { Engine } from '../registry/engine'
import { type DiscoveredGroup, ResourceTable } from '../registry/resource-table'
import { baseTables } from '../release-tables/base-tables'
import { BASE_RELEASE } from '../release-tables/minor'
import { tablesOf } from '../release-tables/tables'
import { identityOf, type Release } from '../releases/release'
import { builtinModel, modelOf } from '../schema/builtin'
import { modelOfEveryRelease } from '../schema/every-release'
import { emulatedTables, emulationOf, textOf } from './emulation'
import { gatesOf, gateWarnings } from './gates'
import { groupsOf, showsHidden } from './option-checks'
import { OptionError } from './option-error'
import type { ApiServerOptions } from './server-options'

/** Loads the tables of the base release in advance, while a host waits for its store. */
export function readKinds(): void {
  const gates = gatesOf({})
  void new ResourceTable(groupsOf(undefined, BASE_RELEASE, gates) as DiscoveredGroup[], {
    tables: baseTables(),
    model: builtinModel(),
    rulesOf: rulesBehind(gates, baseTables().changes),
  })
}

interface ServedApi extends Pick<Engine, 'featureGates' | 'resources' | 'tables'> {
  types: Engine['model']
  identity: Engine['release']
  /** Groups of built-in kinds. */
  builtin: ReturnType<typeof groupsWith>
}

/** @throws OptionError */
export function servedApi(options: ApiServerOptions, release: Release): ServedApi {
  const released = tablesOf(release)
  if (released === undefined)
    throw new OptionError(`the tables of release ${release} are not loaded`)
  const kinds = [...BUILTIN_KINDS, ...(options.kinds ?? [])]
  const emulation = emulationOf(released, release, options)
  const known = emulatedTables(released, release, emulation)
  const tables = tablesWith(known, kinds)
  // Other releases may serve versions that the base release has removed, and their types.
  const isBase = release === BASE_RELEASE
  const types = isBase ? modelOf(tables) : modelOfEveryRelease(tables)
  const featureGates = gatesOf(options.featureGates ?? {}, tables, textOf(emulation, tables))
  const enabled = groupsOf(options.runtimeConfig, release, featureGates, {
    version: emulation.version,
    forwardCompatible: options.emulationForwardCompatible ?? false,
    configForwardCompatible: options.runtimeConfigEmulationForwardCompatible ?? false,
  })
  const builtin = groupsWith(enabled, kinds)
  const described = isBase ? [] : (tables.table('discoveryAll') as DiscoveredGroup[])
  const resources = new ResourceTable(
    builtin as DiscoveredGroup[],
    { tables, model: types, rulesOf: rulesBehind(featureGates, tables.changes, kinds) },
    described,
  )
  for (const warning of gateWarnings(options.featureGates ?? {}, tables))
    options.log.warn?.(warning)
  const identity = {
    ...identityOf(release),
    emulation,
    ...(tables === known
      ? {}
      : {
          own: {
            tables,
            id: JSON.stringify(kinds.map(({ description }) => description)),
            versions: describedVersions(kinds),
          },
        }),
    showsHiddenMetrics: showsHidden(options.showHiddenMetricsForVersion, release),
  }
  return { tables, types, featureGates, builtin, resources, identity }
}
