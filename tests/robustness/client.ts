/** Converts operations of a history to requests, and responses to results. */

import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type ApiResponse, isStream } from '../../src/engine/http/messages'
import type { Content, Intent, Page, Result, Scope, State } from './history'
import { NAMESPACES, type RequestInput } from './world'

const decoder = new TextDecoder()

export const textOf = (body: ApiResponse['body']): string => {
  if (body === undefined || isStream(body)) return ''
  return typeof body === 'string' ? body : decoder.decode(body)
}

export function stateOf({ metadata, data }: KubeObject): State {
  return {
    revision: Number(metadata.resourceVersion),
    uid: metadata.uid ?? '',
    team: metadata.labels?.team ?? '',
    data: (data as Record<string, string> | undefined) ?? {},
  }
}

export const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`

/** The server keeps objects of its own next to those of the clients. */
export const isWorkedOn = (key: string): boolean =>
  NAMESPACES.some((namespace) => key.startsWith(`${namespace}/`))

/** Where config maps of a namespace are; of all namespaces if it is empty. */
export const pathOf = (namespace: string): string =>
  `/api/v1/${namespace === '' ? '' : `namespaces/${namespace}/`}configmaps`

function objectOf(name: string, { team, data }: Content, expected?: number): JsonObject {
  const metadata = {
    name,
    ...(team === '' ? {} : { labels: { team } }),
    ...(expected === undefined ? {} : { resourceVersion: String(expected) }),
  }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...data } }
}

export function requestFor(key: string, client: string, intent: Intent): RequestInput {
  const [namespace = '', name = ''] = key.split('/')
  const target = `${pathOf(namespace)}/${name}`
  switch (intent.verb) {
    case 'get':
      return { method: 'GET', target }
    case 'create':
      return { method: 'POST', target: pathOf(namespace), body: objectOf(name, intent.content) }
    case 'update':
      return { method: 'PUT', target, body: objectOf(name, intent.content, intent.expected) }
    case 'patch': {
      const { team, set, expected } = intent
      const metadata = {
        ...(team === undefined ? {} : { labels: { team: team === '' ? null : team } }),
        ...(expected === undefined ? {} : { resourceVersion: String(expected) }),
      }
      return {
        method: 'PATCH',
        target,
        type: 'application/merge-patch+json',
        body: { metadata, data: set },
      }
    }
    case 'apply':
      return {
        method: 'PATCH',
        target: `${target}?fieldManager=${client}&force=true`,
        type: 'application/apply-patch+yaml',
        body: objectOf(name, { team: '', data: intent.set }),
      }
    case 'delete': {
      const preconditions = {
        ...(intent.expected === undefined ? {} : { resourceVersion: String(intent.expected) }),
        ...(intent.uid === undefined ? {} : { uid: intent.uid }),
      }
      return {
        method: 'DELETE',
        target,
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions },
      }
    }
  }
}

/** @throws Error for a response that no server should give */
export function resultOf(intent: Intent, { status, body }: ApiResponse): Result {
  const text = textOf(body)
  if (status >= 500) return { type: 'unknown' }
  const response = JSON.parse(text) as KubeObject
  if (status < 300) {
    if (intent.verb !== 'delete') return { type: 'done', state: stateOf(response) }
    return {
      type: 'done',
      state: { uid: String((response as { details?: { uid?: string } }).details?.uid) },
    }
  }
  const { reason } = response as { reason?: string }
  if (status === 404) return { type: 'absent' }
  if (reason === 'AlreadyExists') return { type: 'exists' }
  if (reason === 'Conflict') return { type: 'conflict' }
  throw new Error(`${intent.verb} returned ${status}: ${text}`)
}

export function queryOf({ name, team }: Scope, options: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(options)
  if (name !== '') query.set('fieldSelector', `metadata.name=${name}`)
  if (team !== '') query.set('labelSelector', `team=${team}`)
  return query.toString()
}

export function pageOf(text: string): Page & { continue: string } {
  const { metadata, items } = JSON.parse(text) as {
    metadata: { resourceVersion: string; continue?: string }
    items: KubeObject[]
  }
  return {
    revision: Number(metadata.resourceVersion),
    items: items
      .map((item) => ({ key: keyOf(item), state: stateOf(item) }))
      .filter(({ key }) => isWorkedOn(key)),
    continue: metadata.continue ?? '',
  }
}
