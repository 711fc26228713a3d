/**
 * The responses of `agnhost nettest` to others. It does not contact other pods
 * (kubernetes/kubernetes, test/images/agnhost/README.md).
 */
import { isJsonObject } from '../../core/object'
import type { HttpResponse } from '../network/client'
import { parsed } from './webhook'

interface NettestPlace {
  hostname: string
  memory: Map<string, unknown>
  body: string
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
const ok = (body: string): HttpResponse => ({ status: 200, headers: PLAIN, body })

export function nettest(
  { pathname }: URL,
  { hostname, memory, body }: NettestPlace,
): HttpResponse | undefined {
  if (pathname === '/read') {
    const Received = memory.size === 0 ? null : Object.fromEntries([...memory].sort())
    const state = { Hostname: hostname, Sent: null, Received, Errors: null, Log: null }
    return ok(JSON.stringify({ ...state, StillContactingPeers: true }, undefined, '\t'))
  }
  if (pathname === '/status') return ok('running')
  if (pathname === '/quit') return undefined
  if (pathname !== '/write') return { status: 404, headers: PLAIN, body: '404 page not found\n' }
  const contact = parsed(body)
  const source = isJsonObject(contact) ? String(contact.Source ?? '') : ''
  if (source !== '') memory.set(source, Number(memory.get(source) ?? 0) + 1)
  return ok(`${JSON.stringify({ Hostname: hostname })}\n`)
}
