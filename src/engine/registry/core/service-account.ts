/**
 * Service accounts: references to secrets keep only the name. Recorded from kube-apiserver 1.31.
 */
import { isJsonObject, type KubeObject } from '../../object'
import type { Strategy } from '../strategy'

function keepNamesOnly(account: KubeObject): void {
  if (!Array.isArray(account.secrets)) return
  account.secrets = account.secrets.map((secret) =>
    isJsonObject(secret) ? { name: secret.name ?? '' } : secret,
  )
}

export const serviceAccountStrategy: Strategy = {
  prepareForCreate: keepNamesOnly,
  prepareForUpdate: keepNamesOnly,
}
