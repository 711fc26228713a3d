import type { Json } from '../../../engine/core/object'
import type { Revision } from './revisions'
import { HISTORY } from './texts'

/** `spec.replicas 1 → 3`, `spec.template and 2 more` */
export function summaryOf(what: Revision['what'], changes: Revision['changes']): string {
  if (what !== 'changed') return what === 'created' ? HISTORY.created : HISTORY.deleted
  const own = changes.filter(({ bookkeeping }) => !bookkeeping)
  const [first] = own
  if (first === undefined) return HISTORY.managedFields
  const short = [first.before, first.after].every((value) => typeof value !== 'object')
  const fields = short
    ? `${first.path} ${valueText(first.before)} → ${valueText(first.after)}`
    : first.path
  return own.length === 1 ? fields : HISTORY.more(fields, own.length - 1)
}

const valueText = (value: Json | undefined): string =>
  value === undefined ? HISTORY.unset : JSON.stringify(value)
