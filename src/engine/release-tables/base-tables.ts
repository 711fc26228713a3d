/** The tables of the base release, which are part of the engine. */
import { BOOTSTRAP_OBJECTS } from '../generated/bootstrap-objects'
import { DISCOVERY, DISCOVERY_ALL } from '../generated/discovery'
import { FEATURE_GATES } from '../generated/feature-gates'
import { LIFECYCLE } from '../generated/lifecycle'
import { apiOperations } from '../generated/operations'
import { protobufMessages } from '../generated/protobuf'
import { columnDescriptions, tableColumns } from '../generated/table-columns'
import { COMMON_VERSIONS, TYPES } from '../generated/types'
import { BASE_RELEASE } from './minor'
import { type Column, provide, ReleaseTables, type Tables } from './tables'

const BASE = new ReleaseTables(BASE_RELEASE, {
  types: () => TYPES,
  commonVersions: () => COMMON_VERSIONS,
  discovery: () => DISCOVERY,
  discoveryAll: () => DISCOVERY_ALL,
  lifecycle: () => LIFECYCLE,
  featureGates: () => FEATURE_GATES,
  bootstrapText: () => BOOTSTRAP_OBJECTS,
  bootstrapObjects: () => JSON.parse(BOOTSTRAP_OBJECTS) as Tables['bootstrapObjects'],
  operations: apiOperations,
  protobuf: protobufMessages,
  tableColumns: () =>
    Object.fromEntries(
      Object.entries(tableColumns()).map(([resource, columns]) => [
        resource,
        columns.map(([name, type, format, text, priority]): Column => {
          return [name, type, format, columnDescriptions()[text] ?? '', priority]
        }),
      ]),
    ),
})

provide(BASE)

export const baseTables = (): ReleaseTables => BASE
