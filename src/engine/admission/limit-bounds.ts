/** Error texts recorded from kube-apiserver 1.31. */

import { entryOf } from '../core/object'
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityUnits,
} from '../schema/quantity'
import type { ResourceAmounts } from '../validation/pods'

export interface Bound {
  min?: ResourceAmounts
  max?: ResourceAmounts
  maxLimitRequestRatio?: ResourceAmounts
}

interface Measured {
  /** `cpu usage per Container is …` */
  usage: string
  bound: Quantity
  request: Quantity | undefined
  limit: Quantity | undefined
}

/**
 * @param type `Container`, `Pod`, `PersistentVolumeClaim`
 * @param limits `none`: the kind has no limits, so the maximum bounds its requests
 */
export function boundProblems(
  bound: Bound,
  type: string,
  requests: ResourceAmounts | undefined,
  limits: ResourceAmounts | undefined | 'none',
): string[] {
  const problemsOf = (
    amounts: ResourceAmounts | undefined,
    problem: (measured: Measured) => string | undefined,
  ): string[] =>
    Object.entries(amounts ?? {}).flatMap(([name, amount]) => {
      const measured = {
        usage: `${name} usage per ${type} is ${amount}`,
        bound: parseQuantity(amount),
        request: amountOf(requests, name),
        limit: limits === 'none' ? undefined : amountOf(limits, name),
      }
      return problem(measured) ?? []
    })
  return [
    ...problemsOf(bound.min, belowMinimum),
    ...problemsOf(bound.max, limits === 'none' ? requestAboveMaximum : aboveMaximum),
    ...Object.entries(bound.maxLimitRequestRatio ?? {}).flatMap(([name, ratio]) => {
      if (limits === 'none') return []
      const why = ratioProblem(ratio, amountOf(requests, name), amountOf(limits, name))
      return why === undefined
        ? []
        : `${name} max limit to request ratio per ${type} is ${ratio}, but ${why}`
    }),
  ]
}

function amountOf(amounts: ResourceAmounts | undefined, name: string): Quantity | undefined {
  const text = amounts && entryOf(amounts, name)
  return text === undefined ? undefined : parseQuantity(String(text))
}

function belowMinimum({ usage, bound, request, limit }: Measured): string | undefined {
  const minimum = `minimum ${usage}`
  if (request === undefined) return `${minimum}.  No request is specified`
  if (compareQuantities(request, bound) < 0)
    return `${minimum}, but request is ${formatQuantity(request)}`
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return `${minimum}, but limit is ${formatQuantity(limit)}`
}

function aboveMaximum({ usage, bound, request, limit }: Measured): string | undefined {
  const maximum = `maximum ${usage}`
  if (limit === undefined) return `${maximum}.  No limit is specified`
  if (compareQuantities(limit, bound) > 0)
    return `${maximum}, but limit is ${formatQuantity(limit)}`
  if (request !== undefined && compareQuantities(request, bound) > 0)
    return `${maximum}, but request is ${formatQuantity(request)}`
}

function requestAboveMaximum({ usage, bound, request }: Measured): string | undefined {
  const maximum = `maximum ${usage}`
  if (request === undefined) return `${maximum}.  No request is specified`
  if (compareQuantities(request, bound) > 0)
    return `${maximum}, but request is ${formatQuantity(request)}`
}

const isZero = (quantity: Quantity): boolean => quantity.mantissa === 0n

function ratioProblem(
  bound: string,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  if (request === undefined || isZero(request)) return 'no request is specified or request is 0'
  if (limit === undefined || isZero(limit)) return 'no limit is specified or limit is 0'
  const ratio = Number(quantityUnits(limit, 3)) / Number(quantityUnits(request, 3))
  const most = Number(quantityUnits(parseQuantity(bound), 3)) / 1000
  if (ratio > most) return `provided ratio is ${ratio.toFixed(6)}`
}
