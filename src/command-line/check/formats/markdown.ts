import { placeOf } from '../../manifests/read'
import type { Checked, Finding } from '../findings'
import { summaryOf } from './text'

/** For a comment on a pull request. */
export function markdownFormat(checked: Checked): string {
  const { release, findings } = checked
  const rows = findings.map(rowOf)
  const table =
    rows.length === 0
      ? []
      : ['| | place | object | message | rule |', '|---|---|---|---|---|', ...rows, '']
  return [`## Manifests for Kubernetes ${release}`, '', summaryOf(checked), '', ...table].join('\n')
}

function rowOf({ level, rule, object, message, file, line }: Finding): string {
  const place = file === undefined ? '' : `\`${placeOf({ file, line })}\``
  return `| ${[level, place, object, message, rule].map(cell).join(' | ')} |`
}

/** Table cells have no line breaks; `|` would end one, and `<` begin HTML. */
function cell(text: string): string {
  return text.replace(/[|<\n]/g, (sign) => ({ '|': '\\|', '<': '&lt;', '\n': ' ' })[sign] ?? sign)
}
