/** Repairs of exceeded quotas. kubernetes.io, "Resource Quotas". */
import { MEDIA_TYPE } from '../../core/names'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityUnits,
  subtractQuantities,
} from '../../schema/quantity'
import { valueAt } from '../place'
import type { Edit, Place, Rejection, RepairKind } from '../repair'

const pathOfQuota = ({ target: { namespace } }: Rejection, quota: string): string =>
  `/api/v1/namespaces/${namespace}/resourcequotas/${quota}`

export const raiseQuota: RepairKind = {
  name: 'RaiseQuota',
  candidates(rejection) {
    const { grounds } = rejection
    if (grounds?.by !== 'quota') return []
    const { quota, hard } = grounds
    const amounts = Object.entries(hard).map(([name, amount]) => `${name} to ${amount}`)
    return [
      {
        title: `Raise quota "${quota}": ${amounts.join(', ')}`,
        writes: [
          {
            method: 'PATCH',
            path: pathOfQuota(rejection, quota),
            contentType: MEDIA_TYPE.mergePatch,
            body: { spec: { hard: { ...hard } } },
          },
        ],
      },
    ]
  },
}

/** If the quota has room for them. */
const USUAL: Readonly<Record<string, string>> = { cpu: '100m', memory: '128Mi' }

export const setResources: RepairKind = {
  name: 'SetResources',
  async candidates(rejection) {
    const { grounds, object } = rejection
    if (grounds?.by !== 'quota constraint' || object === undefined) return []
    const quota = await rejection.read(pathOfQuota(rejection, grounds.quota))
    const edits: Edit[] = []
    const shown = new Set<string>()
    for (const [entry, names] of Object.entries(grounds.missing)) {
      const [list = '', resource = ''] = entry.includes('.')
        ? entry.split('.')
        : ['requests', entry]
      const amount = amountFor(quota, entry, resource, names.length)
      if (amount === undefined) return []
      shown.add(`${list}.${resource} ${amount}`)
      for (const container of containersNamed(object, names))
        edits.push({ place: [...container, 'resources', list, resource], value: amount })
    }
    return edits.length === 0 ? [] : [{ title: `Set ${[...shown].join(', ')}`, edits }]
  },
}

/** @returns undefined if nothing is left */
function amountFor(
  quota: JsonObject | undefined,
  entry: string,
  resource: string,
  containers: number,
): string | undefined {
  const usual = entryOf(USUAL, resource)
  const [hard, used] = ['hard', 'used'].map((part) => valueAt(quota, ['status', part, entry]))
  if (usual === undefined || typeof hard !== 'string' || typeof used !== 'string') return undefined
  const left = subtractQuantities(parseQuantity(hard), parseQuantity(used))
  if (left.mantissa <= 0n) return undefined
  const decimals = resource === 'cpu' ? 3 : 0
  const share = {
    ...left,
    mantissa: quantityUnits(left, decimals) / BigInt(containers),
    exponent: -decimals,
  }
  return compareQuantities(parseQuantity(usual), share) <= 0 ? usual : formatQuantity(share)
}

function containersNamed(object: JsonObject, names: readonly string[]): Place[] {
  return ['containers', 'initContainers'].flatMap((list) => {
    const items = valueAt(object, ['spec', list])
    if (!Array.isArray(items)) return []
    return items.flatMap((item: Json, index) =>
      isJsonObject(item) && names.includes(String(item.name)) ? [['spec', list, index]] : [],
    )
  })
}
