/** Queries go to the engine: the page computes no permissions itself. */
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
  /** The revision of roles and bindings; undefined: now. */
  revision: number | undefined
  attributes: QueryAttributes
  /** undefined: the explanation is closed. */
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

useMoment.subscribe(
  (now, before) =>
    now.revision !== before.revision && useAccess.setState({ revision: now.revision }),
)

export function openAccess(view: AccessView, change: Partial<Omit<AccessState, 'set'>> = {}): void {
  useAccess.getState().set({ ...change, view })
  useView.getState().set({ place: 'access' })
}

export function subjectOf({ name, groups }: Pick<Actor, 'name' | 'groups'>): AccessSubject {
  return { kind: 'User', name: name === ANONYMOUS.name ? 'system:anonymous' : name, groups }
}

export function useSubject(): AccessSubject {
  const chosen = useAccess((state) => state.subject)
  const actor = useActors((state) => state.actor)
  return chosen ?? subjectOf(actor)
}

const RBAC_KINDS = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
  (resource) => `rbac.authorization.k8s.io/${resource}`,
)

/** Changes with every write for an actor who may not read roles. */
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
 * Queries again when the query, the roles or the server change; keeps the previous result until
 * then.
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
