/** Random clients of several hosts over one etcd, while any of these processes and wires fail at random moments. */
import { Etcd } from '../../etcd/etcd'
import { end, type Host, startHost } from '../../etcd/hosts'
import { type Conditions, type Findings, randomHistory } from '../clients'
import { exchange, follow } from '../exchange'
import { Wire } from './wire'

interface Place {
  host: Host
  wire: Wire
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export async function historyOverEtcd({
  hosts = 2,
  ...conditions
}: Conditions & { hosts?: number }): Promise<Findings> {
  const etcd = await Etcd.start()
  const places: Place[] = []
  try {
    for (let i = 0; i < hosts; i++) {
      const wire = await Wire.start(etcd.url)
      places.push({ wire, host: await begin(wire) })
    }
    return await randomHistory(conditions, ({ below }, reached) => {
      const any = (): Place => places[below(places.length)] as Place
      let discarded = ''
      return {
        exchange: (question) => exchange(any().host, question),
        follow: (path, onEvent, signal) => follow(any().host, path, onEvent, signal),
        lists: (path) => Promise.all(places.map(({ host }) => exchange(host, { path }))),
        failures: {
          'a host is killed': async () => {
            const place = any()
            await end(place.host)
            place.host = await begin(place.wire)
          },
          'etcd is killed': async () => {
            await etcd.kill()
            await pause(below(800))
            await etcd.run()
          },
          'etcd stops': async () => {
            etcd.suspend()
            await pause(below(1500))
            etcd.resume()
          },
          'a host stops': async () => {
            const { pid } = any().host.started
            process.kill(pid, 'SIGSTOP')
            await pause(below(1500))
            process.kill(pid, 'SIGCONT')
          },
          'a wire is cut': async () => any().wire.cut(),
          'responses of etcd are lost': async () => {
            const { wire } = any()
            wire.deaf = true
            await pause(below(400))
            wire.cut()
          },
          'a wire is slow': async () => {
            const { wire } = any()
            wire.delay = below(250)
            await pause(below(1500))
            wire.delay = 0
          },
          // As far as every watch has come: none needs what is gone.
          'history is compacted': async () => {
            const revision = String(Math.min(...reached))
            if (revision === discarded) return
            discarded = revision
            await etcd.call('/v3/kv/compaction', { revision })
          },
        },
      }
    })
  } finally {
    for (const { host, wire } of places) {
      await end(host)
      await wire.close()
    }
    await etcd.remove()
  }
}

const begin = (wire: Wire): Promise<Host> => startHost('host', wire.url, '--controllers=off')
