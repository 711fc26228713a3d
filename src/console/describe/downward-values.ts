import type { Container, Pod, ResourceFieldSelector } from 'kubernetes-types/core/v1'
import { entryOf } from '../../engine/core/object'
import { goQuote } from '../../engine/schema/go-text'
import {
  parseQuantity,
  type Quantity,
  quantityOf,
  quantityUnits,
} from '../../engine/schema/quantity'
import { sortedEntries } from './words'

/** Empty for other fields, parts of fields and the uid, as in kubectl. */
export function fieldValue({ metadata }: Pod, path: string): string {
  switch (path) {
    case 'metadata.name':
      return metadata?.name ?? ''
    case 'metadata.namespace':
      return metadata?.namespace ?? ''
    case 'metadata.labels':
    case 'metadata.annotations':
      return sortedEntries(metadata?.[path.slice('metadata.'.length) as 'labels' | 'annotations'])
        .map(([key, value]) => `${key}=${goQuote(value)}`)
        .join('\n')
    default:
      return ''
  }
}

const divided = (amount: Quantity, divisor: Quantity): string => {
  const scale = 9
  const [upper, lower] = [quantityUnits(amount, scale), quantityUnits(divisor, scale)]
  return String(lower === 0n ? 0n : (upper + lower - 1n) / lower)
}

/** A limit or request in units of the divisor, rounded up; without a limit, the node's. */
export function resourceValue(
  { resources }: Container,
  { resource, divisor = '0' }: ResourceFieldSelector,
): string {
  const [list = '', name = ''] = resource.split(/\.(.*)/s)
  const amount = entryOf(resources?.[list as 'limits' | 'requests'], name)
  const unit = parseQuantity(divisor)
  const value =
    amount === undefined
      ? '0'
      : divided(parseQuantity(amount), unit.mantissa === 0n ? quantityOf(1) : unit)
  return value === '0' && (resource === 'limits.cpu' || resource === 'limits.memory')
    ? 'node allocatable'
    : value
}
