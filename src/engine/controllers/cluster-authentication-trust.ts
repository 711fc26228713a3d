/**
 * Recorded from kube-apiserver 1.31.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/
 */
import { readCertificates } from '../authentication/certificates/x509'
import type { ProxyHeaders } from '../authentication/proxy-headers'
import { equalJson, type KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import { changeOwn, createOwn } from '../registry/server-writes'
import { RetryQueue } from '../time/retry-queue'
import { follow, type Loop } from './controller'

const NAMESPACE = 'kube-system'
const NAME = 'extension-apiserver-authentication'
const KEY = `/registry/configmaps/${NAMESPACE}/${NAME}`
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

const MEMBERS = [
  'client-ca-file',
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-username-headers',
]

type Data = Readonly<Record<string, string>>

export interface Authorities {
  /** CAs of client certificates, PEM. */
  clients?: string
  /** CAs of front proxies, PEM. */
  proxies?: string
}

/** Without authorities the loop does nothing. */
export const clusterAuthenticationTrust =
  ({ clients, proxies }: Authorities, headers: ProxyHeaders | undefined): Loop =>
  (engine) => {
    const own: Data = {
      ...(clients === undefined ? {} : { 'client-ca-file': clients }),
      ...(proxies === undefined
        ? {}
        : { 'requestheader-client-ca-file': proxies, ...namesOf(headers) }),
    }
    if (Object.keys(own).length === 0) return () => {}
    const settling = new RetryQueue(engine, () => publish(engine, own))
    const stopFollowing = follow(engine, KEY, ({ current }) => settling.add(current.key))
    settling.add(KEY)
    return () => {
      stopFollowing()
      settling.stop()
    }
  }

function namesOf(headers: ProxyHeaders | undefined): Data {
  const {
    allowedNames = [],
    userHeaders = [],
    groupHeaders = [],
    extraPrefixes = [],
  } = headers ?? {}
  return {
    'requestheader-allowed-names': JSON.stringify(allowedNames),
    'requestheader-username-headers': JSON.stringify(userHeaders),
    'requestheader-group-headers': JSON.stringify(groupHeaders),
    'requestheader-extra-headers-prefix': JSON.stringify(extraPrefixes),
  }
}

/**
 * Appends own data to that of other servers; drops expired certificates and unknown members.
 * @throws Error before any change if stored names or certificates are invalid
 */
async function publish(engine: Engine, own: Data): Promise<void> {
  const stored = (await engine.storage.get(KEY))?.object as
    | (KubeObject & { data?: Data })
    | undefined
  if (stored === undefined) {
    await createOwn(engine, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: NAME, namespace: NAMESPACE },
      data: own,
    })
    return
  }
  const published = stored.data ?? {}
  const now = engine.clock.now()
  const data = Object.fromEntries(
    MEMBERS.flatMap((member) => {
      const { [member]: there = '' } = published
      const { [member]: text = '' } = own
      if (there === '' && text === '') return []
      return [
        [
          member,
          member.endsWith('-ca-file')
            ? joinedCertificates(there, text, now)
            : joinedNames(there, text),
        ],
      ]
    }),
  )
  if (!equalJson(data, published))
    await changeOwn(engine, stored, (draft) => {
      draft.data = data
    })
}

function joinedNames(there: string, own: string): string {
  const names = [there, own].flatMap((text) => (text === '' ? [] : (JSON.parse(text) as string[])))
  return JSON.stringify([...new Set(names)])
}

function joinedCertificates(there: string, own: string, now: number): string {
  if (there !== '') readCertificates(there)
  const isValid = (block: string) =>
    readCertificates(block).every(({ notAfter }) => now <= notAfter)
  const blocks = [...(there.match(BLOCK) ?? []), ...(own.match(BLOCK) ?? [])].filter(isValid)
  return [...new Set(blocks)].map((block) => `${block}\n`).join('')
}
