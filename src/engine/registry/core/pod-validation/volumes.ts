/** The volumes of a pod: their names, and that each has one source that is valid (rules and texts recorded). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { duplicate, forbiddenField, invalidValue, required } from '../../field-errors'
import { dnsLabelProblems } from '../../rules/names'
import type { Volume } from '../pod-types'
import { VOLUME_SOURCES } from './volume-sources'

/** The valid volumes by their names. */
export type KnownVolumes = ReadonlyMap<string, Volume>

/** @returns the errors, and the volumes that containers may mount */
export function volumeErrors(volumes: Volume[], path: string): { errors: FieldError[]; known: KnownVolumes } {
  const known = new Map<string, Volume>()
  const errors = volumes.flatMap((volume, i) => {
    const at = `${path}[${i}]`
    const { name = '' } = volume
    const found = sourceErrors(volume, at)
    if (name === '') found.push(required(`${at}.name`))
    else found.push(...dnsLabelProblems(name).map((problem) => invalidValue(`${at}.name`, name, problem)))
    if (known.has(name)) found.push(duplicate(`${at}.name`, name))
    if (found.length === 0) known.set(name, volume)
    return found
  })
  return { errors, known }
}

function sourceErrors(volume: Volume, path: string): FieldError[] {
  const given = VOLUME_SOURCES.filter(({ member }) => isJsonObject(volume[member] as JsonObject))
  if (given.length === 0) return [required(path, 'must specify a volume type')]
  return given.flatMap(({ member, shown = member, check }, i) =>
    i > 0
      ? [forbiddenField(`${path}.${shown}`, 'may not specify more than 1 volume type')]
      : check(volume[member] as JsonObject, `${path}.${shown}`, volume),
  )
}
