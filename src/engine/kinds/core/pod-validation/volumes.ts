/** Validates volumes. Recorded from kube-apiserver 1.31. */

import { isJsonObject, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import {
  duplicate,
  errorsOfItems,
  forbiddenField,
  invalidValue,
  required,
} from '../../../validation/field-errors'
import { dnsLabelProblems } from '../../../validation/names'
import type { Volume } from '../pod-types'
import { claimNameOf, type PlacedVolume, VOLUME_SOURCES, type VolumeSource } from './volume-sources'

export type KnownVolumes = ReadonlyMap<string, Volume>

/** @param pod undefined in templates @returns errors, and mountable volumes */
export function volumeErrors(
  volumes: readonly Volume[] | null | undefined,
  path: string,
  pod: string | undefined,
): { errors: FieldError[]; known: KnownVolumes } {
  const known = new Map<string, Volume>()
  const made = claimsMadeFor(volumes ?? [], pod)
  const errors = errorsOfItems(volumes, (volume, i) => {
    const at = `${path}[${i}]`
    const { name = '', persistentVolumeClaim: claim } = volume
    const found = sourceErrors(volume, { name, path: at, pod })
    if (name === '') found.push(required(`${at}.name`))
    else
      for (const problem of dnsLabelProblems(name))
        found.push(invalidValue(`${at}.name`, name, problem))
    if (known.has(name)) found.push(duplicate(`${at}.name`, name))
    if (found.length === 0) known.set(name, volume)
    const claimed = (claim as { claimName?: string } | undefined)?.claimName
    if (claimed !== undefined && made.includes(claimed))
      found.push(
        invalidValue(
          `${at}.persistentVolumeClaim.claimName`,
          claimed,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      )
    return found
  })
  return { errors, known }
}

/** No other volume may refer to these claims. */
function claimsMadeFor(volumes: readonly Volume[], pod: string | undefined): string[] {
  if (!pod) return []
  return volumes.filter(({ ephemeral }) => ephemeral).map(({ name = '' }) => claimNameOf(pod, name))
}

function sourceErrors(volume: Volume, placed: PlacedVolume): FieldError[] {
  const { path } = placed
  const given = sourcesOf(volume)
  if (given.length === 0) return [required(path, 'must specify a volume type')]
  return errorsOfItems(given, ({ member, shown = member, rejectedAs = member, check }, i) =>
    i > 0
      ? [forbiddenField(`${path}.${rejectedAs}`, 'may not specify more than 1 volume type')]
      : check(volume[member] as JsonObject, `${path}.${shown}`, placed),
  )
}

const PLACES = new Map(VOLUME_SOURCES.map(({ member }, place) => [member, place]))

/** In order of validation. */
function sourcesOf(volume: Volume): VolumeSource[] {
  const places: number[] = []
  for (const member in volume) {
    const place = PLACES.get(member)
    if (place !== undefined && isJsonObject(volume[member] as JsonObject)) places.push(place)
  }
  return places.sort((a, b) => a - b).map((place) => VOLUME_SOURCES[place] as VolumeSource)
}
