/**
 * Tells aggregated servers whom to believe: the config map `kube-system/extension-apiserver-authentication` holds the authorities of
 * clients and of proxies in front, and the headers of the latter (public documentation, "Configure the Aggregation Layer").
 */
import { readCertificates } from '../authentication/certificates/x509'
import type { ProxyHeaders } from '../authentication/proxy-headers'
import type { Engine } from '../engine'
import { equalJson, type KubeObject } from '../object'
import { changeOwn, createOwn } from '../registry/server-writes'
import { RetryQueue } from '../time/retry-queue'
import { follow, type Loop } from './controller'

const NAMESPACE = 'kube-system'
const NAME = 'extension-apiserver-authentication'
const KEY = `/registry/configmaps/${NAMESPACE}/${NAME}`
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** In the order in which the map is stored. */
const MEMBERS = [
  'client-ca-file',
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-username-headers',
]

type Data = Readonly<Record<string, string>>

/** Whom a server believes, as its host was told. */
export interface Authorities {
  /** PEM of those that vouch for clients. */
  clients?: string
  /** PEM of those that vouch for proxies, which say in headers who asks. */
  proxies?: string
}

/** @returns a loop that keeps the config map; one that does nothing where there are no authorities (recorded) */
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
 * What other servers of the same store have published stays in front, certificates as long as they are valid; members that say
 * nothing of authorities go (recorded).
 * @throws Error, and changes nothing, where somebody wrote what is neither a list of names nor a certificate
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
  const told = stored.data ?? {}
  const now = engine.clock.now()
  const data = Object.fromEntries(
    MEMBERS.flatMap((member) => {
      const { [member]: there = '' } = told
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
  if (!equalJson(data, told))
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
