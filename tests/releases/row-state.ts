/** The state of a row of the table of removed versions on running servers. */
import type { KubeObject } from '../../src/engine/core/object'
import {
  RELEASES,
  type Release,
  type Removal,
  type ServedKind,
  servedVersions,
} from '../../src/engine/releases'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { sendRequest, testServer } from '../support/server'
import { REVIEW_KINDS, sampleOf } from './samples'

export interface RowState {
  /** The release before serves every removed version of every kind that it had. */
  served: boolean
  /** The row's release does not. */
  gone: boolean
  /** What was stored through the removed version is read through the replacement; undefined: nothing replaces it, or nothing is stored. */
  reached: boolean | undefined
}

export const releaseBefore = ({ release }: Removal): Release =>
  RELEASES[RELEASES.indexOf(release) - 1] as Release

export const servedIn = (
  release: Release,
  apiVersion: string,
  kind: string,
): ServedKind | undefined =>
  servedVersions(release).find((served) => served.apiVersion === apiVersion && served.kind === kind)

export const collectionOf = ({ apiVersion, resource, namespaced }: ServedKind): string =>
  `/apis/${apiVersion}${namespaced ? '/namespaces/default' : ''}/${resource}`

/** What a removed version of the row's kinds was served as. */
export const removedKinds = (row: Removal): ServedKind[] =>
  row.kinds.flatMap((kind) =>
    row.removed.flatMap((apiVersion) => servedIn(releaseBefore(row), apiVersion, kind) ?? []),
  )

export async function stateOf(row: Removal): Promise<RowState> {
  const state: RowState = { served: true, gone: true, reached: undefined }
  const storage = createMemoryStorage()
  const before = testServer({ release: releaseBefore(row), storage })
  const after = testServer({ release: row.release, storage })
  for (const old of removedKinds(row)) {
    const sample = sampleOf(old.apiVersion, old.kind)
    // Versions of a kind share their objects, so each has one of its own.
    if (sample.metadata.name === 'it')
      sample.metadata.name = `it-${old.apiVersion.replace('/', '-')}`
    const made = await sendRequest(before, {
      method: 'POST',
      path: collectionOf(old),
      body: sample,
    })
    if (made.status !== 201) state.served = false
    if (
      (await sendRequest(after, { method: 'POST', path: collectionOf(old), body: sample }))
        .status !== 404
    )
      state.gone = false
    const now = row.replacements
      .map(({ apiVersion }) => servedIn(row.release, apiVersion, old.kind))
      .find((kind) => kind !== undefined)
    if (now === undefined || REVIEW_KINDS.includes(old.kind)) continue
    const found = await sendRequest(after, { path: `${collectionOf(now)}/${sample.metadata.name}` })
    const isSame =
      found.status === 200 &&
      (found.json as KubeObject).metadata.uid === (made.json as KubeObject).metadata.uid
    state.reached = state.reached !== false && isSame
  }
  return state
}
