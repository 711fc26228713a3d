/** The volumes of a pod: their names, and that each has one source that is valid (rules and texts recorded). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { duplicate, errorsOfItems, forbiddenField, invalidValue, required } from '../../field-errors'
import { dnsLabelProblems } from '../../rules/names'
import type { Volume } from '../pod-types'
import { VOLUME_SOURCES, type VolumeSource } from './volume-sources'

/** The valid volumes by their names. */
export type KnownVolumes = ReadonlyMap<string, Volume>

/** @returns the errors, and the volumes that containers may mount */
export function volumeErrors(volumes: readonly Volume[] | null | undefined, path: string): { errors: FieldError[]; known: KnownVolumes } {
  const known = new Map<string, Volume>()
  const errors = errorsOfItems(volumes, (volume, i) => {
    const at = `${path}[${i}]`
    const { name = '' } = volume
    const found = sourceErrors(volume, at)
    if (name === '') found.push(required(`${at}.name`))
    else for (const problem of dnsLabelProblems(name)) found.push(invalidValue(`${at}.name`, name, problem))
    if (known.has(name)) found.push(duplicate(`${at}.name`, name))
    if (found.length === 0) known.set(name, volume)
    return found
  })
  return { errors, known }
}

function sourceErrors(volume: Volume, path: string): FieldError[] {
  const given = sourcesOf(volume)
  if (given.length === 0) return [required(path, 'must specify a volume type')]
  return errorsOfItems(given, ({ member, shown = member, check }, i) =>
    i > 0
      ? [forbiddenField(`${path}.${shown}`, 'may not specify more than 1 volume type')]
      : check(volume[member] as JsonObject, `${path}.${shown}`, volume),
  )
}

const PLACES = new Map(VOLUME_SOURCES.map(({ member }, place) => [member, place]))

/** The sources that a volume states, in the order in which they are looked at. It has few members, of the many that it could have. */
function sourcesOf(volume: Volume): VolumeSource[] {
  const places: number[] = []
  for (const member in volume) {
    const place = PLACES.get(member)
    if (place !== undefined && isJsonObject(volume[member] as JsonObject)) places.push(place)
  }
  return places.sort((a, b) => a - b).map((place) => VOLUME_SOURCES[place] as VolumeSource)
}
