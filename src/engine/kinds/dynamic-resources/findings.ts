/** Order above v1alpha3. Since 1.37, errors of rules that Go tags declare are last. */

import type { FieldError } from '../../http/status'
import type { StrategyEngine } from '../../registry/strategy'
import { duplicate, tooMany } from '../../validation/field-errors'

/** Without `key`, items may repeat. */
export interface ListRule<Item> {
  /** Longer lists have no further errors. */
  longest?: number
  item?(item: Item, path: string): void
  key?(item: Item): string
  /** Printed duplicate; absent: the key. */
  shown?(item: Item): unknown
  /** Tags declare size and uniqueness. */
  isTagged?: boolean
}

export class Findings {
  private readonly own: FieldError[] = []
  private readonly tagged: FieldError[] = []
  /** Tags' errors are last. */
  readonly separatesTags: boolean
  readonly featureGates: StrategyEngine['featureGates']

  constructor({ tables, featureGates }: StrategyEngine) {
    this.featureGates = featureGates
    this.separatesTags =
      tables.changes.has('EqualErrorsListedOnce') && featureGates.DeclarativeValidationBeta === true
  }

  add(...errors: readonly FieldError[]): void {
    for (const error of errors) this.own.push(error)
  }

  addTagged(...errors: readonly FieldError[]): void {
    const list = this.separatesTags ? this.tagged : this.own
    for (const error of errors) list.push(error)
  }

  /** In the order of k8s.io/kubernetes, pkg/apis/resource/validation. */
  addList<Item>(
    items: readonly Item[] | null | undefined,
    path: string,
    { longest, item, key, shown = key, isTagged = false }: ListRule<Item>,
  ): void {
    const list = items ?? []
    const report = (error: FieldError) => (isTagged ? this.addTagged(error) : this.add(error))
    if (longest !== undefined && list.length > longest) {
      report(tooMany(path, list.length, longest))
      return
    }
    const isSeparate = isTagged && this.separatesTags
    if (isSeparate) this.addRepeats(list, path, key, shown, report)
    if (item) for (const [i, one] of list.entries()) item(one, `${path}[${i}]`)
    if (!isSeparate) this.addRepeats(list, path, key, isTagged ? key : shown, report)
  }

  private addRepeats<Item>(
    list: readonly Item[],
    path: string,
    key: ListRule<Item>['key'],
    shown: ListRule<Item>['shown'],
    report: (error: FieldError) => void,
  ): void {
    if (key === undefined) return
    const known = new Set<string>()
    list.forEach((item, i) => {
      const id = key(item)
      if (known.has(id)) report(duplicate(`${path}[${i}]`, shown?.(item) ?? id))
      known.add(id)
    })
  }

  get all(): FieldError[] {
    return [...this.own, ...this.tagged]
  }
}
