/**
 * Deletes token Secrets that nothing has used for long.
 * https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
 */
import type { ConfigMap, Pod, Secret, ServiceAccount } from 'kubernetes-types/core/v1'
import { INVALID_SINCE, LAST_USED } from '../authentication/service-accounts/legacy'
import { timestamp } from '../core/environment'
import { type Pod as PodObject, secretNamesOf } from '../validation/pods'
import { isConflict, isNotFound } from './runtime/client'
import type { Controller } from './runtime/manager'
import type { Stored } from './runtime/stored'

/** Holds the date since which token use is recorded. */
const TRACKING = 'kube-system/kube-apiserver-legacy-service-account-token-tracking'
const TYPE = 'kubernetes.io/service-account-token'
const ACCOUNT_NAME = 'kubernetes.io/service-account.name'
const ACCOUNT_UID = 'kubernetes.io/service-account.uid'
const DAY = 24 * 3600_000
/** Unused time until a token becomes invalid, then until deletion. */
const PERIOD = 365 * DAY
const DATE = /^\d{4}-\d\d-\d\d$/

const dateOf = (time: number): string => timestamp(time).slice(0, 10)
const isDate = (text: string | undefined): text is string =>
  text !== undefined && DATE.test(text) && !Number.isNaN(Date.parse(text))

const NAME = 'legacy-serviceaccount-token-cleaner-controller'

/** Affects only tokens that a ServiceAccount lists, as it does for auto-generated ones. */
export const legacyTokenCleaner: Controller = {
  name: NAME,
  run(manager) {
    const secrets = manager.informer<Secret>('', 'secrets')
    const accounts = manager.informer<ServiceAccount>('', 'serviceaccounts')
    const pods = manager.informer<Pod>('', 'pods')
    const maps = manager.informer<ConfigMap>('', 'configmaps')
    const client = manager.client('legacy-service-account-token-cleaner')

    const isMounted = ({ metadata }: Stored<Secret>): boolean =>
      [...pods.list(metadata.namespace ?? '')].some(({ spec }) =>
        [...secretNamesOf(spec as PodObject['spec'])].includes(metadata.name ?? ''),
      )

    function isAutomatic({
      metadata: { name, namespace, annotations = {} },
    }: Stored<Secret>): boolean {
      const account = accounts.get(`${namespace}/${annotations[ACCOUNT_NAME]}`)
      const uid = annotations[ACCOUNT_UID]
      if (account === undefined || (uid && uid !== account.metadata.uid)) return false
      return account.secrets?.some((reference) => reference.name === name) ?? false
    }

    async function evaluateSecret(secret: Stored<Secret>, now: number): Promise<void> {
      const {
        creationTimestamp = '',
        deletionTimestamp,
        labels = {},
        uid,
        resourceVersion,
      } = secret.metadata
      const usedOnOrAfter = dateOf(now - PERIOD)
      if (
        secret.type !== TYPE ||
        deletionTimestamp ||
        Date.parse(creationTimestamp) >= now - PERIOD
      )
        return
      const lastUsed = labels[LAST_USED]
      if (lastUsed !== undefined && (!isDate(lastUsed) || lastUsed >= usedOnOrAfter)) return
      if (!isAutomatic(secret) || isMounted(secret)) return
      const invalidSince = labels[INVALID_SINCE]
      if (!isDate(invalidSince))
        await client.merge(secret, { metadata: { uid, labels: { [INVALID_SINCE]: dateOf(now) } } })
      else if (invalidSince < usedOnOrAfter)
        await client.delete(secret, { preconditions: { resourceVersion } })
    }

    const queue = manager.queue(NAME, async (key) => {
      queue.addAfter(key, DAY)
      const now = manager.now()
      const since = maps.get(TRACKING)?.data?.since
      // Token use was recorded for only part of the first day.
      if (!isDate(since) || now < Date.parse(since) + DAY + PERIOD) return
      for (const secret of [...secrets.list()]) {
        try {
          await evaluateSecret(secret, now)
        } catch (error) {
          if (!isConflict(error) && !isNotFound(error)) throw error
        }
      }
    })
    let isWaiting = false
    secrets.onChange(({ object }) => {
      if (object.type !== TYPE || isWaiting) return
      isWaiting = true
      queue.add('all')
    })
  },
}
