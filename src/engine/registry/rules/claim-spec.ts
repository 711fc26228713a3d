/** The spec of a claim to storage, in claims themselves and in templates of them (rules and texts recorded). */
import type { FieldError } from '../../http/status'
import { isJsonObject, type Json, type JsonObject } from '../../object'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../../schema/quantity'
import { forbiddenField, invalidValue, notSupported, required } from '../field-errors'
import { type LabelSelectorObject, labelSelectorErrors } from './label-selectors'
import { dnsSubdomainProblems } from './names'

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const VOLUME_MODES = ['Block', 'Filesystem']
const ALONE = 'ReadWriteOncePod'

export function claimSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = []
  const modes = Array.isArray(spec.accessModes) ? (spec.accessModes as string[]) : []
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'))
  errors.push(...labelSelectorErrors(spec.selector as LabelSelectorObject | undefined, `${path}.selector`))
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(`${path}.accessModes`, mode, ACCESS_MODES))
  if (modes.includes(ALONE) && modes.length > 1)
    errors.push(forbiddenField(`${path}.accessModes`, `may not use ${ALONE} with other access modes`))
  errors.push(...requestErrors(spec.resources, `${path}.resources`))
  if (typeof spec.storageClassName === 'string' && spec.storageClassName !== '') {
    const name = spec.storageClassName
    errors.push(...dnsSubdomainProblems(name).map((problem) => invalidValue(`${path}.storageClassName`, name, problem)))
  }
  if (typeof spec.volumeMode === 'string' && !VOLUME_MODES.includes(spec.volumeMode))
    errors.push(notSupported(`${path}.volumeMode`, spec.volumeMode, VOLUME_MODES))
  return errors
}

function requestErrors(resources: Json | undefined, path: string): FieldError[] {
  const requests = isJsonObject(resources) && isJsonObject(resources.requests) ? resources.requests : {}
  const { storage } = requests
  if (typeof storage !== 'string') return [required(`${path}[storage]`)]
  return compareQuantities(parseQuantity(storage), ZERO_QUANTITY) > 0
    ? []
    : [invalidValue(`${path}.requests[storage]`, storage, 'must be greater than zero')]
}
