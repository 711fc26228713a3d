/** Opens etcd, if flags configure it. */
import { readFileSync } from 'node:fs'
import type { Log } from '../../engine/core/environment'
import { EtcdClient } from './etcd/client'
import type { Credentials } from './etcd/connection'
import type { SharedStorage } from './etcd/followed-versions'
import { openEtcdStorage } from './etcd/storage'
import { FlagError, type Flags } from './flags'
import { trusting } from './trust'

export type { SharedStorage }

/** Milliseconds to wait for a starting etcd. */
const PATIENCE = 30_000
const PAUSE = 500

/**
 * @returns undefined if no etcd is configured
 * @throws FlagError for conflicting flags, the system's error for unreadable files, Error if etcd
 * stays unavailable
 */
export async function sharedStorage(flags: Flags, log: Log): Promise<SharedStorage | undefined> {
  const urls = flags['etcd-servers']
  if (urls.length === 0) return undefined
  if (flags.clock !== 'real' || flags['clock-begin'] !== '' || flags.seed !== undefined)
    throw new FlagError(
      '--clock, --clock-begin and --seed are for one host alone: with --etcd-servers all hosts go by the real time',
    )
  const client = clientOf(urls, credentialsOf(flags))
  const deadline = Date.now() + PATIENCE
  for (;;) {
    try {
      return await openEtcdStorage({ client, prefix: flags['etcd-prefix'], log })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (Date.now() > deadline) throw new Error(`etcd does not respond: ${why}`)
      log.warn?.(`etcd does not respond yet: ${why}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}

function clientOf(urls: string[], credentials: Credentials): EtcdClient {
  try {
    return new EtcdClient(urls, credentials)
  } catch (error) {
    throw new FlagError(
      `--etcd-servers=${urls.join(',')}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function credentialsOf(flags: Flags): Credentials {
  const { 'etcd-cafile': authorities, 'etcd-certfile': certificate, 'etcd-keyfile': key } = flags
  if ((certificate === '') !== (key === ''))
    throw new FlagError('--etcd-certfile and --etcd-keyfile belong together')
  return {
    ...(authorities === '' ? {} : { trust: trusting(readFileSync(authorities, 'utf8')) }),
    ...(certificate === ''
      ? {}
      : { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }),
  }
}
