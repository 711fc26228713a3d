import type { ConfigMap, Secret, ServiceAccount } from 'kubernetes-types/core/v1'
import { bytesOfBase64 } from '../../engine/schema/base64'
import { describes } from './description'
import { head, stacked } from './metadata'
import { sortedEntries } from './words'

export const configMap = describes<ConfigMap>({
  write: (report, { metadata, data, binaryData }) => {
    head(report, metadata)
    report.line(0, '')
    report.line(0, 'Data')
    report.line(0, '====')
    for (const [key, value] of sortedEntries(data)) {
      report.line(0, `${key}:`)
      report.line(0, '----')
      report.line(0, value)
      report.line(0, '')
    }
    report.line(0, '')
    report.line(0, 'BinaryData')
    report.line(0, '====')
    for (const [key, value] of sortedEntries(binaryData))
      report.line(0, `${key}: ${bytesOfBase64(value).length} bytes`)
    report.line(0, '')
  },
})

export const secret = describes<Secret>({
  events: false,
  write: (report, { metadata, type, data }) => {
    head(report, metadata)
    report.line(0, '')
    report.field(0, 'Type', type)
    report.line(0, '')
    report.line(0, 'Data')
    report.line(0, '====')
    for (const [key, value] of sortedEntries(data)) {
      const bytes = bytesOfBase64(value)
      const shown = type === TOKEN && key === 'token'
      report.field(0, key, shown ? new TextDecoder().decode(bytes) : `${bytes.length} bytes`)
    }
  },
})

const TOKEN = 'kubernetes.io/service-account-token'
const ACCOUNT_NAME = 'kubernetes.io/service-account.name'
const ACCOUNT_UID = 'kubernetes.io/service-account.uid'

export const serviceAccount = describes<ServiceAccount, Secret[]>({
  related: ({ metadata }, reader) => reader.list<Secret>('secrets', metadata?.namespace),
  write: (report, { metadata, imagePullSecrets, secrets }, all) => {
    head(report, metadata)
    const there = new Set(all.map((secret) => secret.metadata?.name))
    const named = (list: { name?: string }[] | undefined): string[] =>
      (list ?? []).map(({ name }) => (there.has(name) ? (name ?? '') : `${name} (not found)`))
    const tokens = all.filter(({ type, metadata: { annotations } = {} }) => {
      return (
        type === TOKEN &&
        annotations?.[ACCOUNT_NAME] === metadata?.name &&
        annotations?.[ACCOUNT_UID] === metadata?.uid
      )
    })
    stacked(report, 0, 'Image pull secrets', named(imagePullSecrets))
    stacked(report, 0, 'Mountable secrets', named(secrets))
    stacked(
      report,
      0,
      'Tokens',
      named(tokens.map((token) => ({ name: token.metadata?.name ?? '' }))),
    )
  },
})
