/** State of the access view. The engine computes permissions, not the page. */
import { useEffect, useState } from 'react'
import { create } from 'zustand'
import type { AccessRequests, AccessSubject, QueryAttributes } from '../../../hosts/shared/access'
import { type Actor, ANONYMOUS, useActors } from '../../state/actors'
import { useCluster } from '../../state/cluster'
import { useConnection } from '../../state/connection'
import { useMoment } from '../../state/moment'
import { useView } from '../../state/view'

export type AccessView = 'rights' | 'who-can' | 'try' | 'roles' | 'identities' | 'configuration'

interface AccessState {
  view: AccessView
  /** undefined: the selected user. */
  subject: AccessSubject | undefined
  /** Empty: all namespaces. */
  namespace: string
  /** undefined for the current roles and bindings. */
  revision: number | undefined
  /** Of `who can` and the tester. */
  attributes: QueryAttributes
  /** Explained next to the table; undefined: closed. */
  explained: QueryAttributes | undefined
  set(change: Partial<Omit<AccessState, 'set'>>): void
}

const INITIAL_ATTRIBUTES: QueryAttributes = {
  verb: 'get',
  isResource: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
}

export const useAccess = create<AccessState>((set) => ({
  view: 'rights',
  subject: undefined,
  namespace: 'default',
  revision: useMoment.getState().revision,
  attributes: INITIAL_ATTRIBUTES,
  explained: undefined,
  set,
}))

// Follows the revision of the page.
useMoment.subscribe(
  (now, before) =>
    now.revision !== before.revision && useAccess.setState({ revision: now.revision }),
)

/** Opens one of the access views. */
export function openAccess(view: AccessView, change: Partial<Omit<AccessState, 'set'>> = {}): void {
  useAccess.getState().set({ ...change, view })
  useView.getState().set({ place: 'access' })
}

/** An actor as the server sees it. */
export function subjectOf({ name, groups }: Pick<Actor, 'name' | 'groups'>): AccessSubject {
  return { kind: 'User', name: name === ANONYMOUS.name ? 'system:anonymous' : name, groups }
}

/** The selected subject, or the current user. */
export function useSubject(): AccessSubject {
  const chosen = useAccess((state) => state.subject)
  const actor = useActors((state) => state.actor)
  return chosen ?? subjectOf(actor)
}

const RBAC_KINDS = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
  (resource) => `rbac.authorization.k8s.io/${resource}`,
)

/** Changes with roles and bindings; with any change for an actor who may not read them. */
function useRolesVersion(): string {
  return useCluster(({ kinds, revision }) => {
    let version = ''
    for (const key of RBAC_KINDS) {
      const kind = kinds.get(key)
      if (kind === undefined || kind.rejection !== undefined) return String(revision)
      let newest = 0
      for (const { resourceVersion } of kind.objects.values())
        newest = Math.max(newest, Number(resourceVersion))
      version += `${kind.objects.size}.${newest} `
    }
    return version
  })
}

export interface QueryResult<Data> {
  data: Data | undefined
  failure: string | undefined
}

/**
 * Repeats the query when it, the roles or the server change; the previous result remains meanwhile.
 * @param query undefined for none
 */
export function useAccessQuery<Kind extends keyof AccessRequests>(
  kind: Kind,
  query: AccessRequests[Kind]['request'] | undefined,
): QueryResult<AccessRequests[Kind]['response']> {
  const connection = useConnection((state) => state.connection)
  const version = useRolesVersion()
  const [result, setResult] = useState<QueryResult<AccessRequests[Kind]['response']>>({
    data: undefined,
    failure: undefined,
  })
  const question = query === undefined ? undefined : JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when roles change
  useEffect(() => {
    if (connection === undefined || question === undefined) return
    let over = false
    connection.channel.request(kind, JSON.parse(question)).then(
      (data) => over || setResult({ data, failure: undefined }),
      (error: unknown) =>
        over ||
        setResult({
          data: undefined,
          failure: error instanceof Error ? error.message : String(error),
        }),
    )
    return () => {
      over = true
    }
  }, [connection, kind, question, version])
  return result
}
