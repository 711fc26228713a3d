import { isJsonObject, type Json, type KubeObject } from '../../../engine/core/object'
import { type ApiResponse, get, sendRequest } from '../../state/client'
import { pathOf, type ServedResource } from '../../state/discovery'
import { failureOf } from '../manifests/failure'
import { type ApplyOptions, applyRequest } from './apply-request'
import {
  type ConflictCause,
  type ConflictField,
  conflictsOf,
  effectsOf,
  type FieldEffect,
} from './effects'

export interface ApplyTarget {
  resource: ServedResource
  namespace: string
  name: string
}

export interface Tried {
  status: number
  /** Unset for a field manager conflict. */
  rejection: string | undefined
  conflicts: ConflictField[]
  /** Without force; after a conflict, with force. */
  effects: FieldEffect[]
}

/**
 * @param body YAML or JSON, sent unchanged
 * @param manifest the parsed body; undefined if it cannot be parsed
 * @throws Error if the connection breaks, ApiFailure if the live object cannot be read
 */
export async function tryApply(
  target: ApplyTarget,
  body: string,
  manifest: Json | undefined,
  manager: string,
): Promise<Tried> {
  const live = await get<KubeObject>(pathOf(target.resource, target.namespace, target.name))
  const response = await dryRun(target, body, { manager })
  const conflicts = conflictsOf(causesOf(response), manifest ?? {}, live)
  if (conflicts.length === 0) return triedFrom(response, live, manager, [])
  return {
    ...triedFrom(await dryRun(target, body, { manager, force: true }), live, manager, conflicts),
    status: response.status,
  }
}

export function dryRun(
  target: ApplyTarget,
  body: string,
  options: ApplyOptions,
): Promise<ApiResponse> {
  return sendRequest({
    ...applyRequest(pathOf(target.resource, target.namespace, target.name), body, {
      ...options,
      dryRun: true,
    }),
    origin: 'page',
  })
}

function triedFrom(
  response: ApiResponse,
  live: KubeObject,
  manager: string,
  conflicts: ConflictField[],
): Tried {
  const { ok, status } = response
  const effects =
    ok && isJsonObject(response.json)
      ? effectsOf(live, response.json as unknown as KubeObject, {
          name: manager,
          operation: 'Apply',
        })
      : []
  return { status, rejection: ok ? undefined : failureOf(response).message, conflicts, effects }
}

function causesOf({ json }: Pick<ApiResponse, 'json'>): ConflictCause[] {
  return (json as { details?: { causes?: ConflictCause[] } } | undefined)?.details?.causes ?? []
}
