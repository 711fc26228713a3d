/**
 * A built-in kind as one value: the rules that the API description does not have. The groups in
 * src/engine/kinds list their kinds; `npm run generate` compiles names, types and columns.
 */

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
  /** Field selectors; those of the name and the namespace if absent. */
  selectable?: Selectable
  /** Rules that the Go types declare, since Kubernetes 1.37. */
  declared?: DeclaredRules
}

export interface Kind extends KindRules {
  group: string
  kind: string
}
