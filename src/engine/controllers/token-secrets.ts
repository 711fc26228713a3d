/**
 * Fills Secrets of type kubernetes.io/service-account-token. Recorded from kube-controller-manager
 * 1.31.
 */
import type { Secret, ServiceAccount } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../core/object'
import { base64OfBytes } from '../schema/base64'
import { authorityOf } from './certificates/authority'
import { isConflict, isNotFound } from './runtime/client'
import type { Controller } from './runtime/manager'
import { keyOf, type Stored } from './runtime/stored'

const NAME = 'serviceaccount-token-controller'
const TYPE = 'kubernetes.io/service-account-token'
const ACCOUNT_NAME = 'kubernetes.io/service-account.name'
const ACCOUNT_UID = 'kubernetes.io/service-account.uid'

const base64 = (text: string): string => base64OfBytes([...new TextEncoder().encode(text)])

export const tokenSecrets: Controller = {
  name: NAME,
  run(manager) {
    const secrets = manager.informer<Secret>('', 'secrets')
    const accounts = manager.informer<ServiceAccount>('', 'serviceaccounts')
    const { serviceAccountTokens } = manager.engine
    // It has no ServiceAccount of its own: it creates their tokens.
    const user = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] }
    const client = manager.clientOf(user, 'kube-controller-manager', '/tokens-controller')
    const holding = secrets.groupedBy((secret) => accountKey(secret))
    const queue = manager.queue(NAME, async (key) => {
      const secret = secrets.get(key)
      const of = secret && accountKey(secret)
      if (secret === undefined || of === undefined) return
      const account = accounts.get(of)
      const uid = secret.metadata.annotations?.[ACCOUNT_UID]
      try {
        if (account === undefined || (uid && uid !== account.metadata.uid)) {
          await client.delete(secret, { preconditions: { uid: secret.metadata.uid } })
          return
        }
        const { namespace = '', name = '', uid: accountUid = '' } = account.metadata
        const authority = authorityOf(manager.engine)
        const data: Record<string, string> = {
          ...secret.data,
          ...(authority && { 'ca.crt': base64(await authority.certificate()) }),
          // Keeps even a wrong namespace.
          ...(!secret.data?.namespace && { namespace: base64(namespace) }),
        }
        if (!secret.data?.token && serviceAccountTokens) {
          data.token = base64(
            await serviceAccountTokens.issueFor(
              { namespace, name, uid: accountUid },
              secret.metadata.name ?? '',
            ),
          )
        }
        const draft = draftOf(secret)
        draft.metadata.annotations = { ...draft.metadata.annotations, [ACCOUNT_UID]: accountUid }
        if (uid === accountUid && equalJson(data, secret.data ?? {})) return
        await client.update({ ...draft, data })
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error
      }
    })
    /** @param key account key, space, Secret name */
    const references = manager.queue(`${NAME} references`, async (key) => {
      const [of = '', name] = key.split(' ')
      const account = accounts.get(of)
      const left = account?.secrets?.filter((reference) => reference.name !== name)
      if (
        account === undefined ||
        left?.length === account.secrets?.length ||
        secrets.get(`${account.metadata.namespace}/${name}`)
      )
        return
      const { secrets: _, ...draft } = draftOf(account) as Stored<ServiceAccount>
      await client.update({
        ...draft,
        ...(left?.length && { secrets: left }),
      } as Stored<ServiceAccount>)
    })
    secrets.onChange(({ type, key, object }) => {
      const of = accountKey(object)
      if (type !== 'DELETED') object.type === TYPE && queue.add(key)
      else if (of !== undefined) references.add(`${of} ${object.metadata.name}`)
    })
    accounts.onChange(({ key }) => {
      for (const secret of holding.of(key)) queue.add(keyOf(secret))
    })
  },
}

function accountKey({ type, metadata }: Stored<Secret>): string | undefined {
  const name = metadata.annotations?.[ACCOUNT_NAME]
  return type === TYPE && name ? `${metadata.namespace}/${name}` : undefined
}
