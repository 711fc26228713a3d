/** PodNodeSelector: an annotation of the namespace says on which nodes its pods run. */

import { serverError } from '../http/status'
import { podOf } from '../registry/rules/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { refused } from './refusal'

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector'

export function podNodeSelector(environment: AdmissionEnvironment): AdmissionPlugin {
  const selectorFor = async ({ namespace }: AdmissionAttributes) =>
    readSelector((await readObject(environment, `/registry/namespaces/${namespace}`))?.metadata.annotations?.[ANNOTATION])
  const checkAgainst = (attributes: AdmissionAttributes, wanted: Record<string, string>) => {
    const { nodeSelector = {} } = podOf(attributes.object).spec
    const conflict = Object.entries(wanted).some(([key, value]) => nodeSelector[key] !== undefined && nodeSelector[key] !== value)
    if (conflict) throw refused(attributes, 'pod node label selector conflicts with its namespace node label selector')
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
    },
    async validate(attributes) {
      checkAgainst(attributes, await selectorFor(attributes))
    },
  }
}

/** `a=b,c=d` @throws ApiError 500 for what is no such list: to the real plugin it is a plain error (release's public sources) */
function readSelector(text = ''): Record<string, string> {
  if (text === '') return {}
  const pairs = text.split(',').map((part) => {
    const sides = part.split('=')
    const [key = '', value = ''] = sides
    if (sides.length !== 2) throw serverError(`invalid selector: [${sides.join(' ')}]`)
    return [key.trim(), value.trim()] as const
  })
  return Object.fromEntries(pairs)
}
