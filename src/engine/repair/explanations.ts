/** What the message of a rejection leaves out. */
import { append } from '../core/lists'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { goQuote } from '../schema/go-text'
import { denialsOf, POLICIES } from './denials'
import { valueAt } from './place'
import type { Rejection } from './repair'

type Explanation = (rejection: Rejection) => Promise<readonly string[]>

export async function explanationsOf(rejection: Rejection): Promise<string[]> {
  const found: string[] = []
  for (const explain of EXPLANATIONS) append(found, await explain(rejection))
  return found
}

const itemsOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

/** kubernetes.io, "Namespaces", "Automatic labelling" and the conditions of NamespaceStatus. */
const terminating: Explanation = async ({ status, target: { namespace }, read }) => {
  const causes = status.details?.causes ?? []
  if (!causes.some(({ reason }) => reason === 'NamespaceTerminating')) return []
  const stored = await read(`/api/v1/namespaces/${namespace}`)
  const since = valueAt(stored, ['metadata', 'deletionTimestamp'])
  const waiting = itemsOf(valueAt(stored, ['status', 'conditions']))
    .filter((condition) => condition.status === 'True')
    .map(({ message }) => String(message))
  return [`Namespace ${goQuote(namespace)} is terminating since ${String(since)}.`, ...waiting]
}

/** The expressions that failed, and what they compare. */
const policy: Explanation = async (rejection) => {
  const texts: string[] = []
  for (const { policy: name, binding, validations } of denialsOf(rejection)) {
    const stored = await rejection.read(`${POLICIES}/${name}`)
    for (const { index, outcome } of validations) {
      if (outcome === 'holds') continue
      const at = ['spec', 'validations', index, 'expression']
      const expression = String(valueAt(stored, at) ?? '')
      const values = fieldsIn(expression, rejection.object)
      texts.push(
        `Policy ${goQuote(name)}, bound by ${goQuote(binding)}, requires ${expression}${values}.`,
      )
    }
  }
  return texts
}

/** `; object.spec.replicas is 9` */
function fieldsIn(expression: string, object: JsonObject | undefined): string {
  const paths = new Set(expression.match(/\bobject(?:\.[A-Za-z]\w*)+\b(?!\()/g) ?? [])
  const shown = [...paths].flatMap((path) => {
    const value = valueAt(object, path.split('.').slice(1))
    return value === undefined || typeof value === 'object'
      ? []
      : [`${path} is ${JSON.stringify(value)}`]
  })
  return shown.length === 0 ? '' : `; ${shown.join(', ')}`
}

const webhook: Explanation = async ({ grounds }) => {
  if (grounds?.by !== 'webhook') return []
  const { webhook: name, resource, configuration } = grounds
  return [
    `Webhook ${goQuote(name)} of ${resource}/${configuration} denied the request: ` +
      'only its server can decide otherwise.',
  ]
}

/** kubernetes.io, "Versions in CustomResourceDefinitions", "Webhook conversion". */
const conversion: Explanation = async ({ status, target: { group, resource }, read }) => {
  if (!/conversion webhook for /.test(status.message ?? '')) return []
  const definition = await read(
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${resource}.${group}`,
  )
  const stored = itemsOf(valueAt(definition, ['spec', 'versions'])).find(({ storage }) => storage)
  if (stored === undefined) return []
  return [
    `${resource}.${group} is stored as ${String(stored.name)}, and a webhook converts other versions. ` +
      `Requests for ${String(stored.name)} need no conversion of objects stored as ${String(stored.name)}.`,
  ]
}

const EXPLANATIONS: readonly Explanation[] = [terminating, policy, webhook, conversion]
