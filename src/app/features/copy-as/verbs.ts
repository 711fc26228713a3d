/** The requests of kubectl's commands, with its manager names and strictness. */

import {
  CLIENT_SIDE_MANAGER,
  CREATE_MANAGER,
  REPLACE_MANAGER,
  SERVER_SIDE_MANAGER,
} from '../../../console/managers'
import { lastApplied, threeWayPatch, withLastApplied } from '../../../console/three-way'
import { MEDIA_TYPE } from '../../../engine/core/names'
import { type JsonObject, parseApiVersion } from '../../../engine/core/object'
import { ApiFailure, type ApiResponse, get, sendRequest } from '../../state/client'
import { pathOf, type ServedResource } from '../../state/discovery'

/** kubectl sends Strict. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface Target {
  resource: ServedResource
  /** undefined for cluster-scoped kinds. */
  namespace: string | undefined
  /** Empty for generateName. */
  name: string
  value: JsonObject
}

export interface SendOptions {
  dryRun: boolean
  fieldValidation: FieldValidation
  /** Empty: kubectl's manager of the command. */
  fieldManager: string
  /** Takes fields from other managers in server-side apply. */
  force?: boolean
}

export interface Sent {
  response: ApiResponse
  outcome: 'created' | 'applied' | 'configured' | 'unchanged' | 'replaced' | 'deleted'
}

export async function create(target: Target, options: SendOptions): Promise<Sent> {
  return { response: await post(target, target.value, options, CREATE_MANAGER), outcome: 'created' }
}

export async function replace(
  { resource, namespace, name, value }: Target,
  options: SendOptions,
): Promise<Sent> {
  const path = pathOf(resource, namespace, name) + queryOf(options, REPLACE_MANAGER)
  return {
    response: await sendRequest({ method: 'PUT', path, body: JSON.stringify(value) }),
    outcome: 'replaced',
  }
}

export async function remove(
  { resource, namespace, name }: Target,
  { dryRun }: SendOptions,
): Promise<Sent> {
  const body = JSON.stringify({
    propagationPolicy: 'Background',
    ...(dryRun ? { dryRun: ['All'] } : {}),
  })
  return {
    response: await sendRequest({
      method: 'DELETE',
      path: pathOf(resource, namespace, name),
      body,
    }),
    outcome: 'deleted',
  }
}

export async function serverSideApply(
  { resource, namespace, name, value }: Target,
  options: SendOptions,
): Promise<Sent> {
  const response = await sendRequest({
    method: 'PATCH',
    path: pathOf(resource, namespace, name) + queryOf(options, SERVER_SIDE_MANAGER),
    body: JSON.stringify(value),
    contentType: MEDIA_TYPE.applyPatch,
  })
  return { response, outcome: response.status === 201 ? 'created' : 'applied' }
}

/** @throws ApiFailure if the live object cannot be read */
export async function clientSideApply(target: Target, options: SendOptions): Promise<Sent> {
  const { resource, namespace, name, value } = target
  const wanted = withLastApplied(value)
  const live = await liveObject(pathOf(resource, namespace, name))
  if (live === undefined)
    return {
      response: await post(target, wanted, options, CLIENT_SIDE_MANAGER),
      outcome: 'created',
    }
  const { group, version } = parseApiVersion(String(value.apiVersion))
  const { builtinModel } = await import('../../../engine/schema/builtin')
  const type = builtinModel().byKind(group, version, resource.kind)
  const patch = threeWayPatch(lastApplied(live), wanted, live, type)
  if (Object.keys(patch).length === 0) {
    return {
      response: { ok: true, status: 200, headers: {}, text: '', json: live, warnings: [] },
      outcome: 'unchanged',
    }
  }
  const response = await sendRequest({
    method: 'PATCH',
    path: pathOf(resource, namespace, name) + queryOf(options, CLIENT_SIDE_MANAGER),
    body: JSON.stringify(patch),
    contentType: type ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json',
  })
  return { response, outcome: 'configured' }
}

async function liveObject(path: string): Promise<JsonObject | undefined> {
  try {
    return await get<JsonObject>(path, 'action')
  } catch (error) {
    if (error instanceof ApiFailure && error.response.status === 404) return undefined
    throw error
  }
}

function post(
  { resource, namespace }: Target,
  value: JsonObject,
  options: SendOptions,
  manager: string,
): Promise<ApiResponse> {
  return sendRequest({
    method: 'POST',
    path: pathOf(resource, namespace) + queryOf(options, manager),
    body: JSON.stringify(value),
  })
}

function queryOf(
  { dryRun, fieldValidation, fieldManager, force }: SendOptions,
  manager: string,
): string {
  const query = new URLSearchParams({ fieldManager: fieldManager || manager, fieldValidation })
  if (force) query.set('force', 'true')
  if (dryRun) query.set('dryRun', 'All')
  return `?${query}`
}
