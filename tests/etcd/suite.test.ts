import { afterEach, describe } from 'vitest'
import { hasEtcd } from '../../scripts/find-etcd'
import { EtcdClient } from '../../src/hosts/node/etcd/client'
import { openEtcdStorage } from '../../src/hosts/node/etcd/storage'
import { storageSuite } from '../storage/suite'
import { Etcd } from './etcd'

describe.runIf(hasEtcd())('a store over etcd', () => {
  let etcd: Etcd

  // First said, last done: the suite closes the store before.
  afterEach(() => etcd.remove())

  // The revisions of a store begin at 1: each test has an etcd of its own.
  storageSuite(async () => {
    etcd = await Etcd.start()
    return openEtcdStorage({ client: new EtcdClient([etcd.url]), log: console, freeze: true })
  })
})
