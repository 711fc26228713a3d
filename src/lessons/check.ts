import { PAGE_AGENT } from '../engine/core/names'
import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { fitsPattern } from '../engine/schema/patterns/pattern-cache'
import type { Check, Probe, RequestLike } from './lesson'

export interface SeenRequest {
  verb: string
  requestURI: string
  userAgent?: string
  user?: { username?: string }
  objectRef?: { resource?: string; subresource?: string; namespace?: string; name?: string }
  responseStatus?: { code?: number; message?: string }
}

export interface ProbeResponse {
  code: number
  body: JsonObject
}

export interface Evidence {
  /** @returns undefined if the object does not exist */
  get(path: string): Promise<JsonObject | undefined>
  send(probe: Probe): Promise<ProbeResponse>
  /** Of users, since the lesson began. */
  requests: readonly SeenRequest[]
  /** Of the users' watches. */
  events: readonly JsonObject[]
}

const MACHINERY = /^system:(?:apiserver|kube-|node:|serviceaccount:kube-system:)/

/** Excludes cluster components and background requests of the page. */
export function byPeople(requests: readonly SeenRequest[]): SeenRequest[] {
  return requests.filter(isByPerson)
}

export function isByPerson({ user, userAgent }: SeenRequest): boolean {
  return userAgent !== PAGE_AGENT && !MACHINERY.test(user?.username ?? '')
}

export async function checkStep(
  step: { readonly checks: readonly Check[] },
  evidence: Evidence,
): Promise<{ check: Check; holds: boolean }[]> {
  return Promise.all(
    step.checks.map(async (check) => ({ check, holds: await holds(check, evidence) })),
  )
}

export async function isDone(
  step: { readonly checks: readonly Check[] },
  evidence: Evidence,
): Promise<boolean> {
  return (await checkStep(step, evidence)).every(({ holds }) => holds)
}

async function holds(check: Check, { get, send, requests, events }: Evidence): Promise<boolean> {
  switch (check.kind) {
    case 'object': {
      const object = await get(check.path)
      return (
        object !== undefined &&
        isLike(object, check.is) &&
        !(check.isNot && isLike(object, check.isNot))
      )
    }
    case 'absent':
      return (await get(check.path)) === undefined
    case 'response':
      return isLike((await send(check)) as unknown as JsonObject, check.is)
    case 'request':
      return requests.some((request) => isRequestLike(request, check.is))
    case 'event':
      return events.some((event) => isLike(event, check.is))
  }
}

/**
 * Whether a value contains a pattern: every member of an object, and for every item of a list some
 * item. `null` means absent. A string between slashes is a regular expression. Its RE2 syntax
 * prevents exponential time.
 *
 *     { replicas: 3, ports: [{ port: 80 }] } is like { ports: [{ port: 80 }], paused: null }
 */
export function isLike(value: Json | undefined, pattern: Json): boolean {
  if (pattern === null) return value === undefined || value === null
  if (isJsonObject(pattern))
    return (
      isJsonObject(value) &&
      Object.entries(pattern).every(([name, part]) => isLike(value[name], part as Json))
    )
  if (Array.isArray(pattern))
    return Array.isArray(value) && pattern.every((part) => value.some((item) => isLike(item, part)))
  const [, expression] = typeof pattern === 'string' ? (/^\/(.*)\/$/s.exec(pattern) ?? []) : []
  return expression === undefined
    ? value === pattern
    : typeof value === 'string' && fits(expression, value)
}

function isRequestLike(
  { verb, requestURI, user, objectRef, responseStatus }: SeenRequest,
  wanted: RequestLike,
): boolean {
  const { resource = '', subresource } = objectRef ?? {}
  const params = subresource === undefined ? resource : `${resource}/${subresource}`
  const [path = '', search] = requestURI.split('?')
  const query = new URLSearchParams(search)
  return (
    (wanted.verb === undefined || [wanted.verb].flat().includes(verb)) &&
    is(wanted.resource, params) &&
    is(wanted.namespace, objectRef?.namespace) &&
    is(wanted.name, objectRef?.name) &&
    is(wanted.user, user?.username) &&
    is(wanted.code, responseStatus?.code) &&
    (wanted.message === undefined || fits(wanted.message, responseStatus?.message ?? '')) &&
    (wanted.path === undefined || fits(wanted.path, path)) &&
    Object.entries(wanted.query ?? {}).every(([name, expression]) =>
      hasParameter(query.get(name), expression),
    )
  )
}

/** A dot also matches a line break. */
const fits = (expression: string, text: string): boolean => fitsPattern(`(?s)${expression}`, text)

const is = <Value>(wanted: Value | undefined, value: Value | undefined): boolean =>
  wanted === undefined || wanted === value

function hasParameter(value: string | null, expression: string | null): boolean {
  return expression === null ? value === null : value !== null && fits(expression, value)
}
