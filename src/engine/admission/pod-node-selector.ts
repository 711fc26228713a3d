/** The admission plugin PodNodeSelector. kubernetes.io, "Admission Control in Kubernetes". */

import { entryOf, isJsonObject, type JsonObject } from '../core/object'
import { serverError } from '../http/status'
import { invalidValue } from '../validation/field-errors'
import { labelValueProblems, qualifiedNameProblems } from '../validation/names'
import { podOf } from '../validation/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { newForbidden } from './errors'

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector'
const DEFAULT = 'clusterDefaultNodeSelector'

export function podNodeSelector(environment: AdmissionEnvironment): AdmissionPlugin {
  const configured = selectorsOf(environment.configurationOf('PodNodeSelector'))
  const selectorFor = async ({ namespace }: AdmissionAttributes) => {
    const stored = await readObject(environment, `/registry/namespaces/${namespace}`)
    return readSelector(stored?.metadata.annotations?.[ANNOTATION] ?? configured.get(DEFAULT))
  }
  const checkAgainst = (attributes: AdmissionAttributes, wanted: Record<string, string>) => {
    const { nodeSelector = {} } = podOf(attributes.object).spec
    const conflict = Object.entries(wanted).some(
      ([key, value]) =>
        entryOf(nodeSelector, key) !== undefined && entryOf(nodeSelector, key) !== value,
    )
    if (conflict)
      throw newForbidden(
        attributes,
        'pod node label selector conflicts with its namespace node label selector',
      )
  }
  const checkAllowed = (attributes: AdmissionAttributes) => {
    const allowed = readSelector(configured.get(attributes.namespace))
    if (Object.keys(allowed).length === 0) return
    const { nodeSelector = {} } = podOf(attributes.object).spec
    if (Object.entries(nodeSelector).every(([key, value]) => entryOf(allowed, key) === value))
      return
    throw newForbidden(
      attributes,
      'pod node label selector labels conflict with its namespace whitelist',
    )
  }
  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    resources: ['pods'],
    async mutate(attributes) {
      const wanted = await selectorFor(attributes)
      checkAgainst(attributes, wanted)
      const { spec } = podOf(attributes.object)
      if (Object.keys(wanted).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...wanted }
      checkAllowed(attributes)
    },
    async validate(attributes) {
      checkAgainst(attributes, await selectorFor(attributes))
      checkAllowed(attributes)
    },
  }
}

/** By namespace; invalid selectors are ignored. */
function selectorsOf({
  podNodeSelectorPluginConfig: given = {},
}: JsonObject = {}): ReadonlyMap<string, string> {
  const entries = isJsonObject(given) ? Object.entries(given) : []
  return new Map(
    entries.flatMap(([namespace, selector]) =>
      typeof selector === 'string' ? [[namespace, selector] as const] : [],
    ),
  )
}

/**
 * Parses `a=b,c=d`. @throws ApiError 500, since the plugin returns a plain error (Kubernetes 1.31,
 * package plugin/pkg/admission/podnodeselector)
 */
function readSelector(text = ''): Record<string, string> {
  if (text === '') return {}
  const pairs = text.split(',').map((part) => {
    const sides = part.split('=')
    const [key = '', value = ''] = sides
    if (sides.length !== 2) throw serverError(`invalid selector: [${sides.join(' ')}]`)
    return labelOf(key.trim(), value.trim())
  })
  return Object.fromEntries(pairs)
}

/** Only a value's error has a path (kube-apiserver 1.31). @throws ApiError 500 */
function labelOf(key: string, value: string): [string, string] {
  const wrong = (path: string, found: string, problems: readonly string[]) => {
    if (problems.length > 0)
      throw serverError(`${path}: ${invalidValue('', found, problems.join('; ')).detail}`)
  }
  wrong('<nil>', key, qualifiedNameProblems(key))
  wrong(`[${key}]`, value, labelValueProblems(value))
  return [key, value]
}
