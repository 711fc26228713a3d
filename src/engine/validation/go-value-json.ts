/**
 * Go's `json.Marshal`, in messages since Kubernetes 1.34. Internal types have no JSON tags, so all
 * members are written with Go names. Recorded from kube-apiserver 1.35.
 */
import { FormatError } from '../schema/format-error'
import { goJson, goJsonSorted } from '../schema/go-json'
import { canonicalQuantity } from '../schema/quantity'
import type { GoMember, GoValue } from './go-value'

/** `{"Key":"a","Operator":"Exists","TolerationSeconds":null}` */
export function goValueJson(value: GoValue): string {
  switch (value.kind) {
    case 'struct':
      return value.type === 'intstr.IntOrString'
        ? amountJson(value.members)
        : `{${membersJson(value.members).join(',')}}`
    case 'list':
      return value.items === undefined ? 'null' : `[${value.items.map(goValueJson).join(',')}]`
    case 'map':
      return value.entries === undefined
        ? 'null'
        : `{${value.entries.map(([key, item]) => `${goJson(key)}:${goValueJson(item)}`).join(',')}}`
    case 'pointer':
      return value.target === undefined ? 'null' : goValueJson(value.target)
    case 'quantity':
      return goJson(printedQuantity(value.text ?? '0'))
    case 'time':
      return value.text === undefined ? 'null' : goJson(value.text)
    case 'untyped':
      return goJsonSorted(value.json ?? null)
    default:
      return goJson(value.value)
  }
}

/** An invalid quantity has its own error. */
function printedQuantity(text: string): string {
  try {
    return canonicalQuantity(text)
  } catch (error) {
    if (error instanceof FormatError) return text
    throw error
  }
}

function membersJson(members: readonly GoMember[]): string[] {
  return members.flatMap(({ name, value, tag, embedded }) => {
    if (embedded && value.kind === 'struct') return membersJson(value.members)
    if (tag?.omitEmpty && isEmpty(value)) return []
    return [`${goJson(tag?.name ?? name)}:${goValueJson(value)}`]
  })
}

/** Go's `omitempty`. */
function isEmpty(value: GoValue): boolean {
  switch (value.kind) {
    case 'struct':
    case 'quantity':
      return false
    case 'list':
      return !value.items?.length
    case 'map':
      return !value.entries?.length
    case 'pointer':
      return value.target === undefined
    case 'time':
      return value.text === undefined
    case 'untyped':
      return (value.json ?? null) === null
    default:
      return value.value === '' || value.value === 0 || value.value === false
  }
}

function amountJson(members: readonly GoMember[]): string {
  const part = (name: string) => {
    const value = members.find((member) => member.name === name)?.value
    return value !== undefined && 'value' in value ? value.value : ''
  }
  return goJson(part(part('Type') === 1 ? 'StrVal' : 'IntVal'))
}
