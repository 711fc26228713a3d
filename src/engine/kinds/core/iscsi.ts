/** RFC 3720, section 3.2.6; texts: k8s.io/kubernetes, pkg/apis/core/validation. */

import { append } from '../../core/lists'
import { entryOf, isJsonObject, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { fitsPattern } from '../../schema/patterns/pattern-cache'
import { invalidValue, required } from '../../validation/field-errors'
import { inRange } from '../../validation/numbers'
import { needs, secretNeeds, text } from './volume-types'

/** RE2 takes linear time: names may be as long as a body. */
const FORMS: Record<string, string> = {
  iqn: String.raw`iqn\.\d{4}-\d{2}\.[[:alnum:].-]+:[^,;*&$|\s]+$`,
  eui: '^eui.[[:alnum:]]{16}$',
  naa: '^naa.[[:alnum:]]{32}$',
}
const MALFORMED = 'must be valid format'

/** @param strange message for unknown prefixes */
function nameErrors(field: string, name: string, strange: string): FieldError[] {
  const form = entryOf(FORMS, name.slice(0, 3))
  if (form === undefined) return [invalidValue(field, name, strange)]
  return fitsPattern(form, name) ? [] : [invalidValue(field, name, MALFORMED)]
}

const LONGEST = 64
const TOO_LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

/** If initiatorName is set, `volume:targetPortal` must have at most 64 characters. */
const isTooLong = (source: JsonObject, volume: string): boolean =>
  typeof source.initiatorName === 'string' &&
  `${volume}:${text(source.targetPortal)}`.length > LONGEST

function targetErrors(source: JsonObject, path: string, strange: string): FieldError[] {
  const name = text(source.iqn)
  const errors = name === '' ? [required(`${path}.iqn`)] : nameErrors(`${path}.iqn`, name, strange)
  if (typeof source.lun === 'number') append(errors, inRange(`${path}.lun`, source.lun, 0, 255))
  if (
    (source.chapAuthDiscovery === true || source.chapAuthSession === true) &&
    !isJsonObject(source.secretRef)
  )
    errors.push(required(`${path}.secretRef`))
  return errors
}

const initiatorErrors = (
  { initiatorName: name }: JsonObject,
  path: string,
  strange: string,
): FieldError[] =>
  typeof name === 'string' ? nameErrors(`${path}.initiatorname`, name, strange) : []

const needsPortal = needs('targetPortal')
const STRANGE = 'must be valid format starting with iqn, eui, or naa'

/** @param volume the error field if it and the portal are too long */
export function iscsiErrors(
  source: JsonObject,
  path: string,
  volume: { path: string; name: string },
): FieldError[] {
  return [
    ...needsPortal(source, path),
    ...targetErrors(source, path, STRANGE),
    ...initiatorErrors(source, path, STRANGE),
    ...(isTooLong(source, volume.name)
      ? [invalidValue(`${volume.path}.name`, volume.name, TOO_LONG)]
      : []),
  ]
}

/** Here the error field is the portal. */
export function persistentIscsiErrors(
  source: JsonObject,
  path: string,
  volume: string,
): FieldError[] {
  return [
    ...needsPortal(source, path),
    ...(isTooLong(source, volume)
      ? [invalidValue(`${path}.targetportal`, text(source.targetPortal), TOO_LONG)]
      : []),
    ...targetErrors(source, path, MALFORMED),
    ...secretNeeds('name')(source, path),
    ...initiatorErrors(source, path, MALFORMED),
  ]
}
