import { afterEach, describe } from 'vitest'
import { hasEtcd } from '../../scripts/find-etcd'
import { EtcdClient } from '../../src/hosts/node/etcd/client'
import { openEtcdStorage } from '../../src/hosts/node/etcd/storage'
import { storageSuite } from '../storage/suite'
import { Etcd } from './etcd'

describe.runIf(hasEtcd())('a store over etcd', () => {
  let etcd: Etcd

  // Registered first, so it runs last: the suite closes the store before.
  afterEach(() => etcd.remove())

  // The revisions of a store begin at 1, so each test has its own etcd.
  storageSuite(async () => {
    etcd = await Etcd.start()
    return openEtcdStorage({ client: new EtcdClient([etcd.url]), log: console, freeze: true })
  })
})
