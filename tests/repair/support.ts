/** Rejected requests, their reviews, and repairs that are carried out. */
import { expect } from 'vitest'
import type { SentRequest } from '../../src/engine/repair/repair'
import type { RepairReview } from '../../src/engine/repair/review'
import type { Repair } from '../../src/engine/repair/search'
import { type Cluster, testCluster } from '../support/cluster'

export interface Rejected {
  method: string
  path: string
  body?: unknown
  contentType?: string
  /** Of the static tokens: `admin` if absent. */
  user?: string
}

const GROUPS: Record<string, string[]> = { alice: ['developers'], admin: ['system:masters'] }

export const APPLY = 'application/apply-patch+yaml'

export const repairCluster = (): Promise<Cluster> => testCluster()

export async function send(
  cluster: Cluster,
  { method, path, body, contentType = 'application/json', user = 'admin' }: Rejected,
) {
  return cluster.sendRequest({
    method,
    path,
    token: user,
    headers: { 'content-type': contentType },
    ...(body === undefined ? {} : { body }),
  })
}

export async function review(
  cluster: Cluster,
  { user = 'admin', ...request }: Rejected,
): Promise<RepairReview['status']> {
  const response = await cluster.sendRequest({
    method: 'POST',
    path: '/kubetab/v1/repairs',
    body: {
      spec: { user, groups: GROUPS[user], request },
    },
  })
  expect(response.status, response.text).toBe(200)
  return (response.json as RepairReview).status
}

/** Sends the writes of the repair, then the repaired request. @returns its response */
export async function carryOut(cluster: Cluster, { writes, request }: Repair, user = 'admin') {
  for (const write of writes)
    expect(await send(cluster, write), write.path).toHaveProperty('status', expect.toSatisfy(isOk))
  await cluster.pass(5)
  return send(cluster, { ...(request as Required<SentRequest>), user })
}

export const isOk = (status: number): boolean => status >= 200 && status < 300

/**
 * The request is rejected, its review changes nothing, and it passes on a cluster of its own after
 * each repair.
 */
export async function expectRepairs(
  prepare: (cluster: Cluster) => Promise<void>,
  rejected: Rejected,
  kinds: readonly string[],
): Promise<readonly Repair[]> {
  const cluster = await repairCluster()
  try {
    await prepare(cluster)
    const response = await send(cluster, rejected)
    expect(isOk(response.status)).toBe(false)
    const revision = cluster.server.storage.currentRevision()
    const { code, repairs } = await review(cluster, rejected)
    expect(cluster.server.storage.currentRevision()).toBe(revision)
    expect(code).toBe(response.status)
    expect(repairs.map(({ kind }) => kind)).toEqual(kinds)
    for (const repair of repairs) await expectToPass(prepare, repair, rejected)
    return repairs
  } finally {
    await cluster.close()
  }
}

async function expectToPass(
  prepare: (cluster: Cluster) => Promise<void>,
  repair: Repair,
  { user }: Rejected,
): Promise<void> {
  const cluster = await repairCluster()
  try {
    await prepare(cluster)
    const response = await carryOut(cluster, repair, user)
    expect(isOk(response.status), `${repair.title}: ${response.text}`).toBe(true)
  } finally {
    await cluster.close()
  }
}
