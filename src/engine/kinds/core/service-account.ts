/** Rules of ServiceAccounts. Recorded from kube-apiserver 1.31. */
import { entryOf, isJsonObject, type KubeObject } from '../../core/object'
import type { Strategy } from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'

function keepNamesOnly(account: KubeObject): void {
  if (!Array.isArray(account.secrets)) return
  account.secrets = account.secrets.map((secret) =>
    isJsonObject(secret) ? { name: secret.name ?? '' } : secret,
  )
}

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets'
const MOUNTABLE_SECRETS_WARNING = `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`

/** Only where a write adds it. */
const annotationWarnings = (account: KubeObject, changes: Changes, old?: KubeObject): string[] =>
  changes.has('MountableSecretsDeprecated') && isAnnotated(account) && !(old && isAnnotated(old))
    ? [MOUNTABLE_SECRETS_WARNING]
    : []

const isAnnotated = ({ metadata: { annotations } }: KubeObject): boolean =>
  entryOf(annotations, MOUNTABLE_SECRETS) !== undefined

export const serviceAccountStrategy: Strategy = {
  prepareForCreate: keepNamesOnly,
  prepareForUpdate: keepNamesOnly,
  warningsOnCreate: (object, { engine }) => annotationWarnings(object, engine.tables.changes),
  warningsOnUpdate: (object, old, { engine }) =>
    annotationWarnings(object, engine.tables.changes, old),
}
