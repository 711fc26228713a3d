/** Opens a policy's expression in the CEL playground. */

import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { parseManifest } from '../manifests/documents'
import { yamlText } from '../manifests/yaml'
import { type BenchInput, useBench } from './bench-state'
import type { PlacedExpression } from './policy-checks'
import { expressionAt } from './policy-language'
import { checkedPlaces } from './scalars'
import { goToPolicy } from './state'
import type { TestTexts } from './test-sets'

const PLACES: Readonly<Record<string, string>> = {
  'validations expression': 'validation',
  'validations messageExpression': 'message',
  'variables expression': 'variable',
  'matchConditions expression': 'policy-condition',
  'auditAnnotations valueExpression': 'audit',
}

/** Opens the expression at the cursor, else the first validation. */
export function tryOnBench(
  texts: TestTexts,
  cursor: number,
  expressions: readonly PlacedExpression[],
): void {
  const input = benchInputOf(texts, cursor, expressions)
  if (input === undefined) return
  useBench.getState().change(input)
  goToPolicy('bench')
}

export function benchInputOf(
  { policies, tests }: TestTexts,
  cursor: number,
  expressions: readonly PlacedExpression[],
): Partial<BenchInput> | undefined {
  const chosen =
    expressionAt(policies, cursor, expressions)?.of ??
    expressions.find(({ path }) => path[1] === 'validations')
  const read = chosen && checkedPlaces(policies, chosen.document, chosen.path)
  if (chosen === undefined || read === undefined) return undefined
  const documents = valuesIn(policies)
  const policy = documents[chosen.document]
  const spec = isJsonObject(policy?.spec) ? policy.spec : {}
  const [, list = '', index, member = ''] = chosen.path
  const place = PLACES[`${list} ${member}`] ?? 'variable'
  const variables = Array.isArray(spec.variables) ? spec.variables : []
  return {
    place,
    use: 'new',
    expression: read.value.trimEnd(),
    variables: yamlOf(list === 'variables' ? variables.slice(0, Number(index)) : variables),
    params: yamlOf(paramOf(spec, documents)),
    object: yamlOf(firstObject(valuesIn(tests), 'object')),
    oldObject: yamlOf(firstObject(valuesIn(tests), 'oldObject')),
    request: '',
    namespaceObject: '',
  }
}

const valuesIn = (text: string): JsonObject[] =>
  parseManifest(text).documents.map(({ value }) => value)

function paramOf(
  { paramKind }: JsonObject,
  documents: readonly JsonObject[],
): JsonObject | undefined {
  if (!isJsonObject(paramKind)) return undefined
  return documents.find(
    ({ apiVersion, kind }) => apiVersion === paramKind.apiVersion && kind === paramKind.kind,
  )
}

function firstObject(
  documents: readonly JsonObject[],
  member: 'object' | 'oldObject',
): Json | undefined {
  const cases = documents.find(({ kind }) => kind === 'PolicyTest')?.cases
  const first = Array.isArray(cases) ? cases.find(isJsonObject) : undefined
  if (first === undefined || first[member] !== undefined) return first?.[member]
  const reference = first[`${member}Ref`]
  if (!isJsonObject(reference)) return undefined
  return documents.find(
    ({ kind, metadata }) =>
      kind === reference.kind && isJsonObject(metadata) && metadata.name === reference.name,
  )
}

function yamlOf(value: Json | undefined): string {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
  return isEmpty ? '' : yamlText(value)
}
