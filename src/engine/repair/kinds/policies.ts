/** Repairs of denials by admission policies. kubernetes.io, "Validating Admission Policy". */
import { MEDIA_TYPE } from '../../core/names'
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { ADMISSION_REGISTRATION, denialsOf, POLICIES } from '../denials'
import { fieldText, valueAt } from '../place'
import { editsFor } from '../policy-values'
import type { Rejection, RepairKind } from '../repair'

export const setPolicyValue: RepairKind = {
  name: 'SetPolicyValue',
  async candidates(rejection) {
    const { object, read } = rejection
    const [finding] = denialsOf(rejection)
    if (finding === undefined || object === undefined) return []
    const policy = await read(`${POLICIES}/${finding.policy}`)
    const failing = finding.validations.filter(({ outcome }) => outcome === 'fails')
    if (policy === undefined || failing.length === 0) return []
    const param = await paramOf(rejection, policy, finding.param)
    const expressions = failing.map(({ index }) =>
      String(valueAt(policy, ['spec', 'validations', index, 'expression']) ?? ''),
    )
    const edits = editsFor(expressions, { object, param, variables: variablesOf(policy) })
    if (edits === undefined) return []
    const texts = edits.map(({ place, value }) =>
      value === undefined
        ? `Remove ${fieldText(place)}`
        : `Set ${fieldText(place)} to ${JSON.stringify(value)}`,
    )
    return [{ title: texts.join(', '), edits }]
  },
}

function variablesOf(policy: JsonObject): Map<string, string> {
  const variables = valueAt(policy, ['spec', 'variables'])
  const named = Array.isArray(variables) ? variables.filter(isJsonObject) : []
  return new Map(named.map(({ name, expression }) => [String(name), String(expression)]))
}

/** Core kinds and kinds with a plural in `s`; others are not read. */
async function paramOf(
  { read }: Rejection,
  policy: JsonObject,
  param: string | undefined,
): Promise<Json> {
  const kind = valueAt(policy, ['spec', 'paramKind'])
  if (param === undefined || !isJsonObject(kind)) return null
  const apiVersion = String(kind.apiVersion)
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const plural = `${String(kind.kind).toLowerCase()}s`
  const [namespace, name] = param.includes('/') ? param.split('/') : [undefined, param]
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`
  return (await read(`${root}${scope}/${plural}/${name}`)) ?? null
}

export const auditPolicy: RepairKind = {
  name: 'AuditPolicy',
  candidates(rejection) {
    const bindings = [...new Set(denialsOf(rejection).map(({ binding }) => binding))]
    if (bindings.length === 0 || bindings.includes('')) return []
    return [
      {
        title: `Let ${bindings.map(goQuote).join(', ')} audit instead of deny`,
        writes: bindings.map((binding) => ({
          method: 'PATCH',
          path: `${ADMISSION_REGISTRATION}/validatingadmissionpolicybindings/${binding}`,
          contentType: MEDIA_TYPE.mergePatch,
          body: { spec: { validationActions: ['Audit'] } },
        })),
      },
    ]
  },
}
