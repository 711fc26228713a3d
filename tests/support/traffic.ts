/** Requests of many kinds, whose metrics the tests count. */
import type { ApiServer } from '../../src/engine/server/server'
import { configMap, type RequestOptions, sendRequest } from './server'

const COLLECTION = '/api/v1/namespaces/default/configmaps'
const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const MERGE = { 'content-type': 'application/merge-patch+json' }

export const TRAFFIC: readonly RequestOptions[] = [
  { method: 'POST', path: COLLECTION, body: configMap('a') },
  { method: 'POST', path: `${COLLECTION}?dryRun=All`, body: configMap('b') },
  {
    method: 'PUT',
    path: `${COLLECTION}/a?fieldValidation=Strict`,
    body: configMap('a', { key: 'value' }),
  },
  { method: 'PATCH', path: `${COLLECTION}/a`, body: { data: { key: 'other' } }, headers: MERGE },
  {
    method: 'PATCH',
    path: `${COLLECTION}/c?fieldManager=me`,
    body: configMap('c'),
    headers: APPLY,
  },
  { path: COLLECTION },
  { path: `${COLLECTION}?limit=1` },
  { path: `${COLLECTION}?labelSelector=a%3Db` },
  { path: '/api/v1/configmaps' },
  { path: `${COLLECTION}/a` },
  { path: `${COLLECTION}/none` },
  { path: COLLECTION, token: 'alice' },
  { path: COLLECTION, token: 'wrong' },
  { path: COLLECTION, token: '' },
  { path: COLLECTION, headers: { 'impersonate-user': 'jane@example.com' } },
  { method: 'DELETE', path: `${COLLECTION}/a` },
  { method: 'DELETE', path: COLLECTION },
  { path: '/version' },
  { path: '/healthz' },
  { path: '/apis' },
  { path: '/nothing' },
]

export async function metricsAfter(
  server: ApiServer,
  traffic: readonly RequestOptions[],
): Promise<string> {
  for (const requested of traffic) await sendRequest(server, requested)
  return (await sendRequest(server, { path: '/metrics' })).text
}
