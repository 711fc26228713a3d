/**
 * A built-in kind as one value: the rules that the OpenAPI description lacks. The groups in
 * src/engine/kinds list their kinds; `npm run generate` compiles names, types and columns.
 */

import type { ResourceTable } from '../encoding/tables/resource-table'
import type { ChangeName, Changes } from '../release-tables/changes'
import type { Column } from '../release-tables/tables'
import type { DeclaredRules } from '../validation/declared/rules'
import type { Selectable } from './selectable-fields'
import type { Strategy } from './strategy'
import type { Check } from './update-order'

export interface KindRules {
  /** Absent: the rules of all kinds. */
  strategy?: Strategy
  /** `CHANGE_FIRST` if absent. */
  updateChecks?: readonly Check[]
  /** `CHANGE_ONLY` if absent. */
  subresourceChecks?: readonly Check[]
  /** Orders of later releases, which validate the new object once. */
  later?: { change: ChangeName } & Pick<KindRules, 'updateChecks' | 'subresourceChecks'>
  /** Absent: name and namespace. */
  selectable?: Selectable
  /** Rules that the Go types declare, since Kubernetes 1.37. */
  declared?: DeclaredRules
  /** The cells of its Table; absent: those of src/engine/encoding/tables. */
  table?: ResourceTable
}

export function rulesWith(changes: Changes, { later, ...rules }: KindRules): KindRules {
  if (later === undefined || !changes.has(later.change)) return rules
  const { change: _, ...orders } = later
  return { ...rules, ...orders }
}

/** The OpenAPI description of a kind that Kubernetes does not have. */
export interface KindDescription {
  version: string
  resource: string
  namespaced: boolean
  shortNames?: string[]
  /**
   * Members of its types by name, in the notation of src/engine/schema/type-notation.ts. The type
   * with the name of the kind is its own; a member `status` creates the subresource.
   */
  types: Readonly<Record<string, readonly string[]>>
  /** Columns of its Table between `Name` and `Age`. */
  columns?: readonly Column[]
}

export interface Kind extends KindRules {
  group: string
  kind: string
  /** Absent for kinds of Kubernetes, which facts/ describes. */
  description?: KindDescription
}
