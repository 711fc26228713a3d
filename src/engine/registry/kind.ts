/**
 * The rules of a kind that its OpenAPI description lacks. src/engine/kinds lists all kinds; `npm
 * run generate` compiles the rest.
 */

import type { ResourceTable } from '../encoding/tables/resource-table'
import type { ChangeName, Changes } from '../release-tables/changes'
import type { Column } from '../release-tables/tables'
import type { DeclaredRules } from '../validation/declared/rules'
import type { Selectable } from './selectable-fields'
import type { Strategy } from './strategy'
import type { Check } from './update-order'

export interface KindRules {
  strategy?: Strategy
  /** `CHANGE_FIRST` if absent. */
  updateChecks?: readonly Check[]
  /** `CHANGE_ONLY` if absent. */
  subresourceChecks?: readonly Check[]
  /** Later releases validate the new object once. */
  later?: { change: ChangeName } & Pick<KindRules, 'updateChecks' | 'subresourceChecks'>
  /** Name and namespace if absent. */
  selectable?: Selectable
  /** Declared by the Go types, since Kubernetes 1.37. */
  declared?: DeclaredRules
  /** src/engine/encoding/tables if absent. */
  table?: ResourceTable
}

export function rulesWith(changes: Changes, { later, ...rules }: KindRules): KindRules {
  if (later === undefined || !changes.has(later.change)) return rules
  const { change: _, ...orders } = later
  return { ...rules, ...orders }
}

/** OpenAPI of a kind that Kubernetes does not have. */
export interface KindDescription {
  version: string
  resource: string
  namespaced: boolean
  shortNames?: string[]
  /**
   * In the notation of src/engine/schema/type-notation.ts. A member `status` creates the
   * subresource.
   */
  types: Readonly<Record<string, readonly string[]>>
  /** Between `Name` and `Age`. */
  columns?: readonly Column[]
}

export interface Kind extends KindRules {
  group: string
  kind: string
  /** Absent for kinds of Kubernetes, which facts/ describes. */
  description?: KindDescription
}
