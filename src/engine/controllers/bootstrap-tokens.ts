/**
 * Deletes expired bootstrap tokens, and writes signatures to the ConfigMap cluster-info. Recorded from
 * kube-controller-manager 1.31.
 */
import type { ConfigMap, Secret } from 'kubernetes-types/core/v1'
import { draftOf, entryOf, equalJson } from '../core/object'
import { sha256 } from '../encoding/sha256'
import { base64Url, bytesOfBase64 } from '../schema/base64'
import type { Controller } from './runtime/manager'
import type { Stored } from './runtime/stored'

const TYPE = 'bootstrap.kubernetes.io/token'
const NAMESPACE = 'kube-system'
const INFO = 'kube-public/cluster-info'
const SIGNATURE = 'jws-kubeconfig-'

const isToken = ({ type, metadata }: Stored<Secret>): boolean =>
  type === TYPE && metadata.namespace === NAMESPACE
const textIn = ({ data }: Secret, key: string): string =>
  new TextDecoder().decode(bytesOfBase64(entryOf(data, key) ?? ''))

/** Milliseconds since the epoch; undefined: never. Invalid expirations count as past. */
function endOf(secret: Secret): number | undefined {
  const text = textIn(secret, 'expiration')
  if (text === '') return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? 0 : time
}

export const tokenCleaner: Controller = {
  name: 'token-cleaner-controller',
  run(manager) {
    const secrets = manager.informer<Secret>('', 'secrets')
    const client = manager.client('token-cleaner')
    const queue = manager.queue('token-cleaner-controller', async (key) => {
      const secret = secrets.get(key)
      const end = secret && isToken(secret) ? endOf(secret) : undefined
      if (secret === undefined || end === undefined) return
      if (end > manager.now()) queue.addAfter(key, end - manager.now())
      else await client.delete(secret, { preconditions: { uid: secret.metadata.uid } })
    })
    secrets.onChange(
      ({ type, key, object }) => type !== 'DELETED' && isToken(object) && queue.add(key),
    )
  },
}

export const bootstrapSigner: Controller = {
  name: 'bootstrap-signer-controller',
  run(manager) {
    const secrets = manager.informer<Secret>('', 'secrets')
    const maps = manager.informer<ConfigMap>('', 'configmaps')
    const client = manager.client('bootstrap-signer')
    const queue = manager.queue('bootstrap-signer-controller', async () => {
      const info = maps.get(INFO)
      const content = info?.data?.kubeconfig
      if (info === undefined || content === undefined) return
      const data = Object.fromEntries(
        Object.entries(info.data ?? {}).filter(([name]) => !name.startsWith(SIGNATURE)),
      )
      for (const secret of secrets.list(NAMESPACE)) {
        const [id, key] = [textIn(secret, 'token-id'), textIn(secret, 'token-secret')]
        const isSigning =
          isToken(secret) &&
          textIn(secret, 'usage-bootstrap-signing') === 'true' &&
          (endOf(secret) ?? Number.POSITIVE_INFINITY) > manager.now()
        if (isSigning && id && key) data[`${SIGNATURE}${id}`] = detachedSignature(content, id, key)
      }
      if (!equalJson(data, info.data)) await client.update({ ...draftOf(info), data })
    })
    secrets.onChange(({ object }) => isToken(object) && queue.add(INFO))
    maps.onChange(({ type, key }) => type !== 'DELETED' && key === INFO && queue.add(INFO))
  },
}

/** JWS with detached content (RFC 7515, appendix F). */
function detachedSignature(content: string, id: string, secret: string): string {
  const utf8 = new TextEncoder()
  const header = base64Url(utf8.encode(JSON.stringify({ alg: 'HS256', kid: id })))
  const signature = hmac(
    utf8.encode(secret),
    utf8.encode(`${header}.${base64Url(utf8.encode(content))}`),
  )
  return `${header}..${base64Url(signature)}`
}

const BLOCK = 64

function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK)
  padded.set(key.length > BLOCK ? sha256(key) : key)
  const joined = (mask: number, rest: Uint8Array) => {
    const bytes = new Uint8Array(BLOCK + rest.length)
    bytes.set(padded.map((byte) => byte ^ mask))
    bytes.set(rest, BLOCK)
    return bytes
  }
  return sha256(joined(0x5c, sha256(joined(0x36, message))))
}
