/**
 * Runs concurrent clients against three hosts over one etcd, kills one host, and checks the history
 * for linearizability.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasEtcd } from '../../scripts/find-etcd'
import { check } from '../robustness/check'
import type { History } from '../robustness/history'
import { Etcd } from './etcd'
import { end, type Host, startHost, startHosts } from './hosts'
import { observe } from './observed-changes'
import { Recording } from './recording'
import { Tap } from './tap'

/** `KUBETAB_HOST_OPERATIONS=20000` runs a long test. */
const OPERATIONS = Number(process.env.KUBETAB_HOST_OPERATIONS ?? 600)
const CLIENTS = 9
const WATCHERS = 6

describe.runIf(hasEtcd())('three hosts, one of them killed and restarted,', () => {
  let etcd: Etcd
  let hosts: Host[]
  let far: Tap

  beforeAll(async () => {
    etcd = await Etcd.start()
    // One host gets delayed watch events and must wait for the current revision.
    far = await Tap.open(etcd.url, 15)
    const near = await startHosts(2, etcd.url, '--controllers=off')
    hosts = [...near, await startHost('host-2', far.url, '--controllers=off')]
  })

  afterAll(async () => {
    await Promise.all(hosts.map((one) => end(one)))
    far.close()
    await etcd.remove()
  })

  it('are linearizable', async () => {
    const recording = new Recording(hosts)
    await recording.begin()
    const observed = await observe(etcd.url, recording.history, () => recording.now())
    let done = 0
    const each = Math.ceil(OPERATIONS / CLIENTS)
    const count = () => {
      done++
    }
    const accident = (async () => {
      while (done < OPERATIONS / 3) await new Promise((resolve) => setTimeout(resolve, 5))
      await end(hosts[0] as Host)
      while (done < (OPERATIONS * 2) / 3) await new Promise((resolve) => setTimeout(resolve, 5))
      hosts[0] = await startHost('host-0', etcd.url, '--controllers=off')
    })()
    const watching = Array.from({ length: WATCHERS }, (_, i) => recording.follow(`watcher-${i}`, i))
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, i) => recording.work(`client-${i}`, i, each, count)),
    )
    await accident
    const last = await observed.finish()
    await recording.finish(last)
    await Promise.all(watching)

    const { history } = recording
    expect(check(history)).toEqual([])
    expect(history.operations.length + history.listings.length).toBeGreaterThan(OPERATIONS * 0.9)
    expect(servedBy(history)).toEqual(new Set(['host-0', 'host-1', 'host-2']))
    expect(history.changes.length).toBeGreaterThan(OPERATIONS / 5)
    expect(history.streams.filter(({ lasted }) => lasted)).toHaveLength(WATCHERS)
  }, 300_000)
})

const servedBy = ({ operations }: History): Set<string> =>
  new Set(operations.flatMap(({ server, result }) => (result.type === 'unknown' ? [] : [server])))
