import type { KubeObject } from '../core/object'

export interface NotableChange {
  /** `empty-selector` */
  name: string
  text: string
  /** `webhooks[].failurePolicy` */
  members: readonly string[]
  /** One sentence for each decision of the user about a rewritten manifest. */
  undecided?(object: KubeObject, before: KubeObject): string[]
}
