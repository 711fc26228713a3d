/**
 * A built-in kind as one value: the rules that the API description does not have. The groups in
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
  /** Defaults, validation and hooks; absent: those of all kinds. */
  strategy?: Strategy
  /** The order of the checks of an update; `CHANGE_FIRST` if absent. */
  updateChecks?: readonly Check[]
  /** The order of the checks of an update of a subresource; `CHANGE_ONLY` if absent. */
  subresourceChecks?: readonly Check[]
  /** The orders of later releases, which validate the new object once. */
  later?: { change: ChangeName } & Pick<KindRules, 'updateChecks' | 'subresourceChecks'>
  /** Field selectors; those of the name and the namespace if absent. */
  selectable?: Selectable
  /** Rules that the Go types declare, since Kubernetes 1.37. */
  declared?: DeclaredRules
  /** The cells of its Table; absent: those of src/engine/encoding/tables. */
  table?: ResourceTable
}

/** The rules that hold for a release. */
export function rulesWith(changes: Changes, { later, ...rules }: KindRules): KindRules {
  if (later === undefined || !changes.has(later.change)) return rules
  const { change: _, ...orders } = later
  return { ...rules, ...orders }
}

/** What the API description has of a Kubernetes kind, for a kind that it does not describe. */
export interface KindDescription {
  version: string
  /** Plural name in the path. */
  resource: string
  namespaced: boolean
  shortNames?: string[]
  /**
   * The members of its types by name, in the notation of src/engine/schema/type-notation.ts. The
   * type with the name of the kind is its own; its member `status` makes a subresource.
   */
  types: Readonly<Record<string, readonly string[]>>
  /** The columns of its Table, between `Name` and `Age`. */
  columns?: readonly Column[]
}

export interface Kind extends KindRules {
  group: string
  kind: string
  /** Absent for the kinds of Kubernetes, which facts/ describes. */
  description?: KindDescription
}
