/**
 * The responses of `agnhost guestbook`: a store of values, its replicas, and a front end for both
 * (kubernetes/kubernetes, test/images/agnhost/README.md).
 */
import type { HttpResponse, LiveClient } from '../network/client'

export interface GuestbookPlace {
  /** What the program keeps until it ends. */
  memory: Map<string, unknown>
  access: LiveClient
  backendPort: number
  log(text: string): void
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
const ok = (body: object): HttpResponse => ({
  status: 200,
  headers: PLAIN,
  body: JSON.stringify(body),
})
const failed = (status: number, why: string): HttpResponse => ({
  status,
  headers: PLAIN,
  body: `${why}\n`,
})
const NO_KEY = 'cannot set with empty key.'

export function guestbook(
  { pathname, searchParams }: URL,
  place: GuestbookPlace,
): HttpResponse | undefined {
  const get = (name: string) => searchParams.get(name) ?? ''
  const [key, value, host] = [get('key'), get('value'), get('host')]
  const store = kept(place, 'store')
  switch (pathname) {
    case '/register':
      place.log(`GET /register?host=${host}`)
      kept(place, 'replicas').set(host, '')
      place.log(`Node '${host}' registered.`)
      return ok({ data: Object.fromEntries(store) })
    case '/get':
      place.log(`GET /get?key=${key}`)
      return ok({ data: key === '' ? Object.fromEntries(store) : (store.get(key) ?? '') })
    case '/set':
      place.log(`GET /set?key=${key}&value=${value}`)
      return key === '' ? failed(400, NO_KEY) : set(key, value, place)
    case '/guestbook': {
      const command = get('cmd').toLowerCase()
      place.log(`GET /guestbook?cmd=${command}&key=${key}&value=${value}`)
      if (command !== 'get' && command !== 'set')
        return failed(400, `unsupported cmd: '${command}'`)
      if (command === 'set' && key === '') return failed(400, NO_KEY)
      const target = command === 'get' ? 'agnhost-replica' : 'agnhost-primary'
      const sent = called(target, `/${command}?${query(key, value)}`, place)
      if (typeof sent !== 'string') return sent && { ...sent, status: 200 }
      return failed(417, `encountered error: ${sent}`)
    }
    default:
      return failed(404, '404 page not found')
  }
}

function set(key: string, value: string, place: GuestbookPlace): HttpResponse | undefined {
  kept(place, 'store').set(key, value)
  for (const replica of kept(place, 'replicas').keys()) {
    const sent = called(replica, `/set?${query(key, value)}`, place)
    if (sent === undefined) return undefined
    if (typeof sent === 'string')
      return failed(417, `encountered error while propagating to replica '${replica}': ${sent}`)
  }
  return ok({ message: 'Updated' })
}

const query = (key: string, value: string): string =>
  `key=${encodeURIComponent(key)}&value=${encodeURIComponent(value)}`

function kept({ memory }: GuestbookPlace, name: string): Map<string, string> {
  const found = memory.get(name)
  if (found instanceof Map) return found
  const made = new Map<string, string>()
  memory.set(name, made)
  return made
}

/** @returns the error message; undefined if the response is not simulated */
function called(
  host: string,
  path: string,
  { access, backendPort }: GuestbookPlace,
): HttpResponse | string | undefined {
  const ip = access.addressOf(host)
  if (ip === undefined || ip === 'timeout') return `lookup ${host}: no such host`
  const target = access.connect(ip, backendPort)
  if (target.result === 'open' && !target.encrypted)
    return access.request(target, { method: 'GET', path })
  if (target.result !== 'closed' && target.result !== 'timeout') return undefined
  const reason = target.result === 'closed' ? 'connect: connection refused' : 'i/o timeout'
  return `Get "http://${host}:${backendPort}${path}": dial tcp ${ip}:${backendPort}: ${reason}`
}
